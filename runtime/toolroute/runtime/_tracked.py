from typing import TYPE_CHECKING, Protocol, final

from toolroute.runtime._life import Life

if TYPE_CHECKING:
    import asyncio

    from toolroute.routing import ClientPlane, ServerPlane
    from toolroute.runtime._ledger import Opened
    from toolroute.runtime._script import Script
    from toolroute.runtime._turn import Turn


class Receiver(Protocol):
    """Who a call's answer is delivered to, once it's recorded."""

    def answered(self, call: "Tracked", /) -> None:
        """The answer is there. Raises nothing."""
        ...


@final
class Work:
    """What a started call runs in: a task, or a thread, which nothing can cancel."""

    __slots__ = ("task", "timer")

    def __init__(self) -> None:
        self.task: asyncio.Task[object] | None = None
        self.timer: asyncio.TimerHandle | None = None


@final
class Tracked(Life):
    """A call in hand: its life, and what it is bound up with while it lasts."""

    __slots__ = ("opened", "receiver", "route", "scripts", "turn", "work")

    def __init__(self, opened: "Opened", turn: "Turn | None" = None) -> None:
        self._state = "open"
        self._answer = None
        self.opened = opened
        self.turn = turn
        self.route: ServerPlane | ClientPlane | None = None
        self.receiver: Receiver | None = None
        self.work: Work | None = None
        self.scripts: list[Script] | None = None

    @property
    def name(self) -> str:
        """The name that it was called by."""
        return self.opened.call.name
