from typing import Protocol


class CallContext(Protocol):
    """What a handler knows of the call besides its route.

    The runtime's own context has all of this. `agent` is whom the call is made as, or
    `None`; `turn` is the turn that it's made in, or `None`.
    """

    @property
    def agent(self) -> str | None:
        """The agent that makes the call, if one does."""
        ...

    @property
    def turn(self) -> object | None:
        """The turn that the call is made in, if it's made in one."""
        ...
