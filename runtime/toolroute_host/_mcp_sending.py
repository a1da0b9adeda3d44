"""Whether a call to a server left: said by what sends it, asked by who must answer."""

from contextvars import ContextVar
from typing import Final, final

__all__ = ["SENDING", "Sending"]


@final
class Sending:
    """One call on its way. It begins, or is called off; never the one after the other.

    So "was not run" is said of no call that a transport still sends later.
    """

    __slots__ = ("_begun", "_called_off")

    def __init__(self) -> None:
        self._begun = False
        self._called_off = False

    def begin(self) -> bool:
        """It's about to leave; false when it may not any more."""
        self._begun = not self._called_off
        return self._begun

    def take_back(self) -> None:
        """Nobody took it, so it didn't leave after all."""
        self._begun = False

    def call_off(self) -> bool:
        """Have it not sent; false when it may have left already."""
        self._called_off = not self._begun
        return self._called_off


SENDING: Final[ContextVar[Sending | None]] = ContextVar("SENDING", default=None)
"""The call that is being made here, for the transport that it goes over."""
