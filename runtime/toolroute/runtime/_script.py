"""A script that an agent runs: its calls come back to it, and are its own."""

from types import TracebackType
from typing import TYPE_CHECKING, Self, final

from toolroute.runtime._answer import Answer
from toolroute.runtime._awaited import Awaited
from toolroute.runtime._read import AnyCall
from toolroute.runtime._tracked import Tracked
from toolroute.runtime._who import Act, Who

if TYPE_CHECKING:
    from toolroute.runtime._core import Core
    from toolroute.runtime._turn import Turn


@final
class Script:
    """The handle for one script's calls; another script has another handle.

    It is in the turn that it was started in for as long as that turn lives; after it,
    its calls are still a script's, but in no turn. A call that ends the turn does so
    with the result of the call that runs the script. Once it's stopped, what it still
    calls isn't run, and what still comes back is late.
    """

    __slots__ = ("_core", "_ends_turn", "_open", "_stopped", "_turn", "_who")

    def __init__(self, core: "Core", who: Who, turn: "Turn | None") -> None:
        self._core = core
        self._who = who
        self._turn = turn
        self._open: set[Tracked] = set()
        self._ends_turn = False
        self._stopped = False

    @property
    def in_turn(self) -> bool:
        """Whether the turn that it was started in still lives."""
        return self._turn is not None and self._turn.live

    @property
    def ends_turn(self) -> bool:
        """Whether a call of it has ended the turn, once its own result is there."""
        return self._ends_turn and self.in_turn

    async def call(self, call: AnyCall, *, key: str | None = None) -> Answer:
        """Make a call, and wait for its answer."""
        return await self.start(call, key=key)

    def start(self, call: AnyCall, *, key: str | None = None) -> Awaited:
        """Make a call, to be awaited later."""
        core = self._core
        awaited = Awaited(core, self._over)
        turn = self._turn if self.in_turn else None
        act = Act(key, turn, in_turn=turn is not None, away=self._stopped)
        tracked = core.begin(self._who, call, act, awaited)
        awaited.begun(tracked)
        if tracked.state != "answered":
            self._open.add(tracked)
        return awaited

    def stop(self) -> None:
        """Answer its open calls without waiting for them, and run none after that."""
        self._stopped = True
        for call in tuple(self._open):
            self._core.runner.stop(call, "script stopped")

    def _over(self, call: Tracked) -> None:
        self._open.discard(call)
        if call.answer is not None and call.answer.ends_turn and not self._stopped:
            self._ends_turn = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
