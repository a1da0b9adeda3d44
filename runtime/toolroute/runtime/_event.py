"""What happens to calls, told to observers as it happens.

Laws:

- One event a change. A call's events come in the order of its life: opened, started
  (unless it was answered before), answered; then late ones, if any.
- An event is told when it is recorded, and before the answer is delivered; what
  couldn't be recorded is told as `unrecorded`, after the change itself.
- Every observer sees every event, in the same order, also when one of them makes calls
  of its own meanwhile. One that raises, whatever it is, is logged, and harms nobody;
  `KeyboardInterrupt` goes on from the event loop, once this is over.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NoReturn, TypeAlias, final

from toolroute._text import one_line
from toolroute.runtime._answer import Answer, Refused
from toolroute.runtime._ledger import Opened
from toolroute.runtime._soon import soon

What: TypeAlias = Literal["opened", "started", "answered", "late", "unrecorded"]

Cause: TypeAlias = Literal[
    "handler",
    "refused",
    "posted",
    "disclaimed",
    "cancelled",
    "time limit",
    "turn ended",
    "superseded",
    "script stopped",
    "closing",
    "interrupted",
    "ledger",
    "recovered",
]
"""What the runtime saw bring an answer about; of no other cause does it know.

`superseded`: a new message or round came, so a page can no longer answer;
`interrupted`: the task that the handler ran in was cancelled by something else;
`recovered`: its owner was found dead when the ledger was opened.
"""


@final
@dataclass(frozen=True, slots=True)
class Event:
    """One change in a call's life, or an answer that was too late to be one.

    `answer` is the call's (`answered`), the one that came too late (`late`), or the one
    that isn't on record (`unrecorded`): not executed, where opening or starting isn't.
    `error` is what the handler raised, or what the ledger did.
    `fingerprint` is of the table by which the call was decided.
    """

    what: What
    call: Opened
    answer: Answer | None
    cause: Cause | None
    error: BaseException | None
    fingerprint: str


Observer: TypeAlias = Callable[[Event], object]

_log: Final = logging.getLogger("toolroute")


@final
class Announcer:
    """Tells every observer every event, one after the other."""

    __slots__ = ("_fingerprint", "_observers", "_queue", "_telling", "silent")

    def __init__(self, observers: Sequence[Observer], fingerprint: str) -> None:
        self._observers = tuple(observers)
        self._fingerprint = fingerprint
        self._queue: deque[Event] = deque()
        self._telling = False
        self.silent: Final = not self._observers

    def tell(
        self,
        what: What,
        call: Opened,
        answer: Answer | None = None,
        cause: Cause | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Tell them, behind what is being told."""
        if self.silent:
            return
        event = Event(what, call, answer, cause, error, self._fingerprint)
        self._queue.append(event)
        self._tell_queued()

    def tell_together(self, changes: Iterable[tuple[What, Opened]]) -> None:
        """Tell them all, before anything that an observer does about one of them."""
        self._queue.extend(
            Event(what, call, None, None, None, self._fingerprint)
            for what, call in changes
        )
        self._tell_queued()

    def _tell_queued(self) -> None:
        if self._telling:
            return
        self._telling = True
        try:
            while self._queue:
                self._tell_all(self._queue.popleft())
        finally:
            self._telling = False

    def _tell_all(self, event: Event) -> None:
        for observer in self._observers:
            try:
                observer(event)
            except KeyboardInterrupt as interrupt:
                soon(partial(_pass_on, interrupt))
            except BaseException:  # noqa: BLE001 -- the others are still told
                _log.exception("An observer raised on a %s event", event.what)


def _pass_on(interrupt: KeyboardInterrupt) -> NoReturn:
    raise interrupt


@final
class LoggingObserver:
    """Writes a line a change to a logger: troubles as warnings, the rest as debug."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = (
            logging.getLogger("toolroute.calls") if logger is None else logger
        )

    def __call__(self, event: Event) -> None:
        """Log it, without the call's input or the answer's content."""
        level = logging.WARNING if _is_trouble(event) else logging.DEBUG
        self._logger.log(level, "%s", _line(event), exc_info=event.error)


def _is_trouble(event: Event) -> bool:
    """Whether somebody should look at it: a program's call that no route takes, too."""
    answer = event.answer
    if event.what in ("late", "unrecorded"):
        return True
    if isinstance(answer, Refused):
        return event.call.road in ("host", "module") and answer.refusal.retry == "no"
    return answer is not None and answer.kind in ("failed", "outcome_unknown")


def _line(event: Event) -> str:
    call = event.call
    parts = [event.what, one_line(call.call.name), f"key={one_line(call.key)}"]
    parts.append(f"caller={call.caller}")
    if call.agent is not None:
        parts.append(f"agent={one_line(call.agent)}")
    if event.answer is not None:
        parts.append(f"answer={event.answer.kind}")
    if event.cause is not None:
        parts.append(f"cause={event.cause.replace(' ', '-')}")
    return " ".join(parts)
