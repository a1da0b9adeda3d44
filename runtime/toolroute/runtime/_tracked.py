from typing import TYPE_CHECKING, Final, Protocol, cast, final

from toolroute.runtime._ledger import Opened
from toolroute.runtime._life import Life

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from toolroute.routing import ClientPlane, ServerPlane
    from toolroute.runtime._clock import Clock
    from toolroute.runtime._script import Script
    from toolroute.runtime._turn import Turn


def opened_from(fields: tuple[object, ...]) -> Opened:
    """`Opened` of its fields, in a quarter of the time: one is made for every call."""
    return _new(Opened, fields)


_new: Final = cast(
    "Callable[[type[Opened], tuple[object, ...]], Opened]",
    tuple.__new__,  # pyright: ignore[reportUnknownMemberType]
)


class Receiver(Protocol):
    """Who a call's answer is delivered to, once it's recorded."""

    def answered(self, call: "Tracked", /) -> None:
        """The answer is there. Raises nothing."""
        ...


@final
class Work:
    """What a started call runs in: a task, or a thread, which nothing can cancel."""

    __slots__ = ("clock", "task")

    def __init__(self) -> None:
        self.task: asyncio.Task[object] | None = None
        self.clock: Clock | None = None


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

    @property
    def runs(self) -> str:
        """The name of what is run for it: of the call that it carries, if it does."""
        return self.name if self.route is None else self.route.call.name
