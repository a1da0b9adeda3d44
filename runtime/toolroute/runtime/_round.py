"""The calls of one assistant message, as one thing.

Laws:

- All of them are recorded as opened before any starts, and decided once, then.
- At most `at_once` server-plane calls hold a slot, in call order; one that waits for
  others holds none, and takes one again before it goes on, ahead of what is queued.
- Answers stand in call order, whatever order they came in. The round is complete when
  each call has one; then, and not before, it's stored, and then it may end the turn.
- What one call does, or doesn't do, changes no other's answer. Each handler has the
  context variables of who runs the round, whoever's end gave it its slot.
"""

import asyncio
import contextvars
import logging
import threading
from collections import deque
from collections.abc import Collection, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, final

from toolroute._calls import ProtocolError, ToolCall, ToolResult
from toolroute.routing import ClientPlane, ServerPlane
from toolroute.runtime._answer import Answer, NotExecuted
from toolroute.runtime._context import Context
from toolroute.runtime._event import Cause
from toolroute.runtime._line import Line
from toolroute.runtime._outcome import gave
from toolroute.runtime._read import Read
from toolroute.runtime._register import Pending, decide, pending, track
from toolroute.runtime._tracked import Tracked
from toolroute.runtime._window import Exchange

if TYPE_CHECKING:
    from toolroute.runtime._turn import Turn

_log: Final = logging.getLogger("toolroute")

_LINGER: Final = 0.002
"""Seconds that answers of sync handlers may wait for one record with later ones."""


@final
class Round:
    """The calls of one assistant message. `Turn.round` makes one."""

    __slots__ = (
        *("_answers", "_around", "_calls", "_complete", "_core", "_left", "_line"),
        *("_loop", "_message", "_served", "_serving", "_thread", "_trouble", "_turn"),
        "number",
    )

    def __init__(self, turn: "Turn", number: int, message: Any) -> None:
        self.number: Final = number
        self._turn = turn
        self._core = turn.core
        self._message = message
        self._calls: Sequence[Tracked] = ()
        self._answers: list[Answer | None] = []
        self._line = Line(turn.core.limits.at_once, self._start)
        self._serving = self._left = 0
        self._served = asyncio.Event()
        self._complete = asyncio.Event()
        self._trouble: Exception | None = None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._around = contextvars.copy_context()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls, as they came, their arguments read."""
        return tuple(call.opened.call for call in self._calls)

    @property
    def answers(self) -> tuple[Answer | None, ...]:
        """Each call's answer, in call order; None where there is none yet."""
        return tuple(self._answers)

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The client-plane calls that are out."""
        return pending(self._calls)

    async def run(self) -> tuple[Answer | None, ...]:
        """Run the server-plane calls; returns when each of them has its answer.

        Cancelling whoever awaits this leaves the calls to their own ends.
        """
        self._around = contextvars.copy_context()
        ready = (one for one in self._calls if one.state == "open")
        self._line.go([one.opened.place for one in ready])
        await self._served.wait()
        return self.answers

    async def complete(self) -> tuple[Answer, ...]:
        """Wait for every call's answer, also those that are posted.

        What storing the round raised is raised here.
        """
        await self._complete.wait()
        if self._trouble is not None:
            raise self._trouble
        return tuple(answer for answer in self._answers if answer is not None)

    def post(
        self,
        place: int,
        content: Any,
        *,
        is_error: bool = False,
        ends_turn: bool = False,
    ) -> bool | None:
        """What a client-plane call gave, elsewhere; False where it came too late.

        From a thread other than the event loop's it is handed over, and gives None.
        """
        call = self._out(place)
        result = ToolResult(content, is_error, ends_turn)
        if threading.get_ident() == self._thread:
            return self._post(call, result)
        self._loop.call_soon_threadsafe(self._post, call, result)
        return None

    def disclaim(self, place: int) -> bool | None:
        """Whoever held a client-plane call says that it wasn't run; else as `post`."""
        call = self._out(place)
        if threading.get_ident() == self._thread:
            return self._disclaim(call)
        self._loop.call_soon_threadsafe(self._disclaim, call)
        return None

    def cancel(self, place: int | None = None) -> None:
        """Answer this call, or all that are open, without waiting for them."""
        calls = self._calls if place is None else (self._at(place),)
        self._stop(calls, "cancelled")

    def find(self, id: str) -> int | None:  # noqa: A002 -- the wire's word
        """The place of the first call out with this id: a page knows calls by ids."""
        places = (one.place for one in self.pending if one.call.id == id)
        return next(places, None)

    def open(self, reads: Sequence[Read], key: str | None) -> None:
        """Register them all, refuse what is refused, hand out what isn't run here."""
        mine = track(self._turn, self.number, [one for one, _ in reads], key)
        self._answers = [None] * len(reads)
        self._left = self._serving = len(reads)
        if not reads:
            self._served.set()
            self._complete.set()
            return
        for call in mine:
            call.receiver = self
        self._core.seats.expect(self._turn.agent)
        self._register(mine, [bad for _, bad in reads])

    def end(self, cause: Cause) -> None:
        """Answer everything that is open: nothing more can come."""
        self._stop(self._calls, cause)

    @property
    def serving(self) -> bool:
        """Whether a server-plane call is open."""
        return not self._served.is_set()

    def supersede(self) -> None:
        """Answer the client-plane calls that are out: nobody posts for them now."""
        out = [one for one in self._calls if isinstance(one.route, ClientPlane)]
        self._stop(out, "superseded")

    async def others(
        self, call: Tracked, but: Collection[str], seconds: float | None
    ) -> tuple[str, ...]:
        """Wait for a call's open siblings; the names of those that it gave up on."""
        place = call.opened.place
        siblings = {
            other.opened.place
            for other in self._calls
            if other is not call and _is_to_come(other, but)
        }
        if call.state != "started" or not siblings:
            return ()
        if self._line.waits(place):
            raise ProtocolError(f"{call.name} waits for its round already.")
        left = await self._line.wait(place, siblings, seconds)
        return tuple(self._calls[one].runs for one in sorted(left))

    def answered(self, call: Tracked) -> None:
        """One more has its answer."""
        self._answers[call.opened.place] = call.answer
        self._left -= 1
        if not isinstance(call.route, ClientPlane):
            self._serving -= 1
        if not self._left:
            self._finish()
        elif not self._serving:
            self._served.set()
        self._line.done(call.opened.place)

    def _register(self, mine: Sequence[Tracked], bad: Sequence[str | None]) -> None:
        """They are the round's, and can be stopped, once all of them are decided."""
        if self._core.closing:
            self._open_to_stop(mine, "closing")
            return
        try:
            refused = decide(self._turn, mine, bad)
        except BaseException:
            self._open_to_stop(mine, "interrupted")
            raise
        if not self._turn.live:  # what decided it ended it
            self._open_to_stop(mine, "turn ended")
            return
        self._calls = mine
        out = [one for one in mine if isinstance(one.route, ClientPlane)]
        self._serving -= len(out)
        if not self._serving:
            self._served.set()
        self._core.desk.open(mine, refused, out)

    def _open_to_stop(self, mine: Sequence[Tracked], cause: Cause) -> None:
        self._calls = mine
        for call in mine:
            call.route = None
        self._core.desk.open(mine)
        self._stop(mine, cause)

    def _start(self, places: Sequence[int]) -> None:
        core = self._core
        calls = (self._calls[place] for place in places)
        ahead = deque(call for call in calls if call.state == "open")
        core.desk.start(ahead)
        since = monotonic()
        try:
            while ahead:
                self._launch(ahead.popleft())
                if monotonic() - since > _LINGER:
                    core.desk.flush()
                    since = monotonic()
        except BaseException:
            for call in ahead:
                core.runner.stop(call, "interrupted")
            raise

    def _launch(self, call: Tracked) -> None:
        if call.state == "started" and isinstance(call.route, ServerPlane):
            context, around = Context(call, self._core), self._around.copy()
            around.run(self._core.runner.launch, call, call.route, context)

    def _post(self, call: Tracked, result: ToolResult) -> bool:
        ending, answer = gave(call, result)
        took = self._core.desk.end(call, ending, answer, "posted")
        self._core.desk.flush()
        return took

    def _disclaim(self, call: Tracked) -> bool:
        answer = NotExecuted(call.name)
        took = self._core.desk.end(call, "disclaimed", answer, "disclaimed")
        self._core.desk.flush()
        return took

    def _at(self, place: int) -> Tracked:
        if not 0 <= place < len(self._calls):
            raise ProtocolError(
                f"The round has {len(self._calls)} calls, from 0, and none at {place}."
            )
        return self._calls[place]

    def _out(self, place: int) -> Tracked:
        call = self._at(place)
        if not isinstance(call.route, ClientPlane):
            raise ProtocolError(
                f"Call {place} of the round, {call.name}, isn't on the client's plane, "
                "so no answer can be posted for it."
            )
        return call

    def _stop(self, calls: Sequence[Tracked], cause: Cause) -> None:
        for call in calls:
            self._core.runner.stop(call, cause)
        self._core.desk.flush()

    def _finish(self) -> None:
        answers = tuple(answer for answer in self._answers if answer is not None)
        exchange = Exchange(self._turn.id, self._message, self.calls, answers)
        try:
            self._core.seats.store(self._turn.agent, exchange)
        except Exception as error:  # noqa: BLE001 -- raised by `complete`
            _log.exception("A round of %r couldn't be stored", self._turn.agent)
            self._trouble = error
        finally:
            self._served.set()
            self._complete.set()
        self._turn.completed(ends=any(answer.ends_turn for answer in answers))


def _is_to_come(call: Tracked, but: Collection[str]) -> bool:
    """Whether it is an open server-plane call that isn't left out."""
    if call.state == "answered" or isinstance(call.route, ClientPlane):
        return False
    return call.runs not in but
