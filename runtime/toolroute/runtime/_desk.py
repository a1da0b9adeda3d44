"""Where each change in a call's life is recorded, told and delivered; awaits nothing.

Laws:

- A change is made in the call's life first (so a second one is late), then recorded,
  then told, then delivered. What one record opens or starts has all of it behind it
  before an observer is told of any, who may end a turn, or post an answer.
- What opens a call, or starts it, does so only if it's recorded; where it can't be, the
  call is closed: not executed. What answers it is delivered also when it can't be
  recorded, and is told as unrecorded.
- Answers may be gathered for one record; nothing is told or delivered meanwhile.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias, final

from toolroute.runtime._answer import Answer
from toolroute.runtime._event import Announcer, Cause, What
from toolroute.runtime._ledger import Ledger, LedgerError, Opened
from toolroute.runtime._life import Ending
from toolroute.runtime._tracked import Tracked

Later: TypeAlias = Callable[[Callable[[], None]], object]
"""Have something called soon, once, however often it's asked for meanwhile."""

Ended: TypeAlias = tuple[Tracked, Answer, Cause, BaseException | None]

_TOO_BIG: Final = LedgerError(
    "unkeepable", "The answer is over the ledger's size cap, so it isn't on record."
)


@final
class Desk:
    """Records, tells and delivers."""

    __slots__ = (
        "_keep",
        "_later",
        "_outbox",
        "_ready",
        "_tell",
        "_tell_together",
        "_told",
        "ledger",
    )

    def __init__(self, ledger: Ledger, announcer: Announcer, later: Later) -> None:
        self.ledger: Final = ledger
        self._keep = ledger.record
        self._tell = announcer.tell
        self._tell_together = announcer.tell_together
        self._told = not announcer.silent
        self._later = later
        self._outbox: list[Ended] = []
        self._ready: deque[tuple[*Ended, BaseException | None]] = deque()

    def open(
        self,
        calls: Sequence[Tracked],
        refused: Sequence[Ended] = (),
        out: Sequence[Tracked] = (),
    ) -> bool:
        """Open these in one record, some refused, some out; whether it was recorded."""
        opened = [call.opened for call in calls]
        started = [call.opened for call in out]
        answered = [(call.opened.number, answer) for call, answer, _, _ in refused]
        error = self._record(opened, [one.number for one in started], answered)
        for call, answer, _, _ in refused:
            call.end("refused", answer)
        closed: list[Tracked] = []
        if error is None:
            for call in out:
                call.start()
        else:
            started.clear()
            closed += (
                call for call in calls if call.end("closed", call.closing(call.name))
            )
        if self._told:
            changes: list[tuple[What, Opened]] = [("opened", one) for one in opened]
            changes.extend(("started", one) for one in started)
            self._tell_together(changes)
        for call, answer, cause, _ in refused:
            self._deliver(call, answer, cause, None, error)
        for call in closed:
            self._deliver(call, call.answer, "ledger", error, error)
        if error is not None:
            _pass_on(error)
        return error is None

    def open_started(self, call: Tracked) -> bool:
        """Open and start one in one record; where it can't be, it is closed."""
        opened = call.opened
        try:
            self._keep((opened,), (opened.number,), ())
        except BaseException as error:  # noqa: BLE001 -- then it doesn't start
            self._tell("opened", opened)
            answer = call.closing(call.name)
            call.end("closed", answer)
            self._deliver(call, answer, "ledger", error, error)
            _pass_on(error)
            return False
        call.start()
        if self._told:
            self._tell_together((("opened", opened), ("started", opened)))
        return True

    def start(self, calls: Sequence[Tracked]) -> bool:
        """Start these in one record; where it can't be, they are closed."""
        error = self._record((), [call.opened.number for call in calls])
        if error is not None:
            for call in calls:
                self.end(call, "closed", call.closing(call.name), "ledger", error)
            self.flush()
            _pass_on(error)
            return False
        for call in calls:
            call.start()
        if self._told:
            self._tell_together(("started", call.opened) for call in calls)
        return True

    def end(
        self,
        call: Tracked,
        ending: Ending,
        answer: Answer,
        cause: Cause,
        error: BaseException | None = None,
    ) -> bool:
        """Answer it, if it isn't yet; `flush` or `flush_soon` has to follow."""
        if call.end(ending, answer):
            self._outbox.append((call, answer, cause, error))
            return True
        self._tell("late", call.opened, answer, cause, error)
        return False

    def settle(
        self,
        call: Tracked,
        ending: Ending,
        answer: Answer,
        cause: Cause,
        error: BaseException | None = None,
    ) -> bool:
        """Answer it, if it isn't yet, and record, tell and deliver that at once."""
        if not call.end(ending, answer):
            self._tell("late", call.opened, answer, cause, error)
            return False
        lost: BaseException | None = None
        try:
            if self._keep((), (), ((call.opened.number, answer),)):
                lost = _TOO_BIG
        except BaseException as problem:  # noqa: BLE001 -- it's delivered anyway
            lost = problem
        if self._told or call.receiver is not None:
            self._deliver(call, answer, cause, error, lost)
        if lost is not None:
            _pass_on(lost)
        return True

    def flush(self) -> None:
        """Record what was answered since, tell it and deliver it."""
        try:
            while self._outbox or self._ready:
                if self._outbox:
                    self._write(len(self._outbox))
                while self._ready:
                    self._deliver(*self._ready.popleft())
        except BaseException:
            self.flush_soon()
            raise

    def flush_soon(self) -> None:
        """Flush with whatever else is answered before the event loop's next round."""
        self._later(self.flush)

    def _write(self, many: int) -> None:
        """Record the first of them at once, or one by one where one can't be recorded.

        They stay in the outbox until then: an interrupt loses none.
        """
        batch = self._outbox[:many]
        cut: Collection[int] = ()
        lost: BaseException | None = None
        try:
            cut = self._keep((), (), [(e[0].opened.number, e[1]) for e in batch])
        except Exception as error:  # noqa: BLE001 -- an answer is delivered anyway
            if many > 1:
                for _ in batch:
                    self._write(1)
                return
            lost = error
        del self._outbox[:many]
        for ended in batch:
            over = _TOO_BIG if cut and ended[0].opened.number in cut else lost
            self._ready.append((*ended, over))

    def _deliver(
        self,
        call: Tracked,
        answer: Answer | None,
        cause: Cause,
        error: BaseException | None,
        unrecorded: BaseException | None,
    ) -> None:
        if self._told:
            self._tell("answered", call.opened, answer, cause, error)
            if unrecorded is not None:
                self._tell("unrecorded", call.opened, answer, cause, unrecorded)
        if call.receiver is not None:
            call.receiver.answered(call)

    def _record(
        self,
        opened: Sequence[Opened],
        started: Sequence[int],
        answered: Sequence[tuple[int, Answer]] = (),
    ) -> BaseException | None:
        try:
            self._keep(opened, started, answered)
        except BaseException as error:  # noqa: BLE001 -- then nothing starts
            return error
        return None


def _pass_on(error: BaseException) -> None:
    """Interrupts go on, once every call has its answer."""
    if not isinstance(error, Exception):
        raise error
