"""An agent's window, as far as the runtime needs one: the host keeps it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, final

from toolroute._calls import ToolCall
from toolroute.runtime._answer import Answer

IDLE: Final = "idle"


@final
@dataclass(frozen=True, slots=True)
class Exchange:
    """One assistant message's calls and their results, which belong together.

    `answers` stand in call order, one for each of `calls`. `message` is what the host
    gave with the round, as a rule the assistant message itself; None for an operator's
    call. `turn` is None for one, too.
    """

    turn: str | None
    message: Any
    calls: Sequence[ToolCall]
    answers: Sequence[Answer]


class Window(Protocol):
    """Where agents' messages are stored. Synchronous; called on the event loop."""

    def status(self, agent: str, /) -> str | None:
        """`idle`, or one word for what it is doing; None where there's no such agent.

        Turns and operators' calls of this runtime needn't count: it knows of them.
        """
        ...

    def store(self, agent: str, exchange: Exchange, /) -> None:
        """Append the calls and their results, adjacent, all or nothing."""
        ...

    def deliver(self, agent: str, message: Any, /) -> None:
        """Append a message that came from elsewhere."""
        ...
