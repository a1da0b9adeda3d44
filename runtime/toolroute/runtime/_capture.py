"""Answers for the calls of a loop that isn't ours, by watching its toolset.

Laws:

- The toolset only observes: what a tool gives or raises reaches the loop as it is, and
  what a tool does stays where it is.
- A call that the loop left open is answered from the record: what it gave; failed, if
  it raised; not executed, if it was never entered; else outcome unknown.
- An entry after such an answer raises, and nothing runs. A result after it is late.
"""

import asyncio
import functools
import inspect
import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from toolroute._calls import ToolResult
from toolroute._text import one_line
from toolroute.runtime._answer import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    returned,
)
from toolroute.runtime._match import Seen, match
from toolroute.runtime._outcome import saying, why
from toolroute.runtime._read import AnyCall, as_text, read

Tool: TypeAlias = Callable[..., Any]

Passed: TypeAlias = Callable[[tuple[Any, ...], Mapping[str, Any]], Any]
"""Reads something out of what the loop passes to a tool."""

_log: Final = logging.getLogger("toolroute")
_CUT_SHORT: Final = (asyncio.CancelledError, GeneratorExit, KeyboardInterrupt)
"""What comes from outside a tool, and says nothing of what it has done."""


class AlreadyAnsweredError(Exception):
    """A call was answered as not executed, so it isn't run now."""


@final
@dataclass(frozen=True, slots=True)
class Late:
    """What a tool gave after its call was answered without it."""

    name: str
    id: str | None
    answer: Answer


@final
class _Entry:
    """One run of a tool: what came of it, once something did."""

    __slots__ = ("answer", "over", "seen")

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.answer: Answer | None = None
        self.over = False


@final
class Capture:
    """Wraps a toolset that another loop runs: names and functions, sync or async.

    `id_of` reads the call's id from what the loop passes, `input_of` its input (the
    keyword arguments, if not said); `result_of` makes a result of what a tool gives.
    `on_late` is told of results that came after their calls were answered.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool],
        *,
        id_of: Passed | None = None,
        input_of: Passed | None = None,
        result_of: Callable[[Any], ToolResult] = ToolResult,
        on_late: Callable[[Late], object] | None = None,
    ) -> None:
        self._tools = dict(tools)
        self._id_of = id_of
        self._input_of = input_of
        self._result_of = result_of
        self._on_late = on_late

    def step(self) -> "Step":
        """The toolset for one step of the loop; a next step takes a next one.

        A loop whose ids are never used again may keep one for all its steps.
        """
        return Step(self)

    def wrap(self, step: "Step") -> dict[str, Tool]:
        """Each tool, recorded in this step."""
        return {name: _watched(step, name, tool) for name, tool in self._tools.items()}

    def seen(self, name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> Seen:
        """What the loop passes, as far as it tells which call it is."""
        id_of, input_of = self._id_of, self._input_of
        id_ = None if id_of is None else _told(id_of, name, args, named)
        given = dict(named) if input_of is None else _told(input_of, name, args, named)
        return Seen(as_text(id_) or None, name, given)

    def gave(self, name: str, value: Any) -> Answer:
        """The answer in what a tool gave."""
        try:
            result = value if isinstance(value, ToolResult) else self._result_of(value)
            return returned(result)
        except Exception as error:  # noqa: BLE001 -- the tool did run, so it's answered
            return Failed(name, f"what it gave can't be told: {why(error)}")

    def late(self, late: Late) -> None:
        """Tell of it."""
        _log.warning("A result of %s came after its answer", one_line(late.name))
        if self._on_late is None:
            return
        try:
            self._on_late(late)
        except Exception:  # noqa: BLE001 -- the toolset only observes
            _log.exception("A late result of %s couldn't be told", one_line(late.name))


@final
class Step:
    """One step of another loop: hand it `tools`, then `settle` what it left open."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._lock = threading.Lock()
        self._entries: list[_Entry] = []
        self._settled = False
        self._never: set[str] = set()
        self._never_named: set[str] = set()
        self.tools: Final[Mapping[str, Tool]] = capture.wrap(self)

    def settle(
        self, calls: Sequence[AnyCall], answered: Collection[int] = ()
    ) -> dict[int, Answer]:
        """The answers of those calls of the step that the loop left open, by place.

        `calls` are all the server-plane calls of the assistant message, in order, and
        `answered` the places of those that the loop has answered itself.
        """
        reads = [read(call) for call in calls]
        seen = [Seen(call.id or None, call.name, call.input) for call, _ in reads]
        with self._lock:
            entries = [(entry.seen, entry) for entry in self._entries]
            answers: dict[int, Answer] = {}
            for place, found in enumerate(match(seen, entries)):
                if place not in answered:
                    answers[place] = self._answer(reads[place], found)
            self._settled = True
        return answers

    def enter(
        self, name: str, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> _Entry:
        """A tool is about to run; raises where its call was answered as not run."""
        seen = self._capture.seen(name, args, named)
        with self._lock:
            never = seen.id in self._never or name in self._never_named
            if never or (self._settled and not seen.id):
                raise AlreadyAnsweredError(
                    f"{one_line(name)} was answered as not executed, so it isn't run."
                )
            entry = _Entry(seen)
            self._entries.append(entry)
        return entry

    def leave(self, entry: _Entry, answer: Answer) -> None:
        """A tool has run, and this is what came of it."""
        with self._lock:
            late = entry.over
            if not late:
                entry.answer = answer
        if late:
            self._capture.late(Late(entry.seen.name, entry.seen.id, answer))

    def gave(self, entry: _Entry, value: Any) -> None:
        """It gave this."""
        self.leave(entry, self._capture.gave(entry.seen.name, value))

    def raised(self, entry: _Entry, error: BaseException) -> None:
        """It raised this."""
        if not isinstance(error, _CUT_SHORT):
            self.leave(entry, saying(entry.seen.name, error))

    def _answer(self, call_read: tuple[Any, str | None], found: Any) -> Answer:
        call, bad = call_read
        if isinstance(found, _Entry):
            found.over = True
            return found.answer or OutcomeUnknown(call.name)
        if found == "can't tell":
            return OutcomeUnknown(call.name)
        if call.id:
            self._never.add(call.id)
        else:
            self._never_named.add(call.name)
        return NotExecuted(call.name) if bad is None else BadArguments(call.name, bad)


def _told(
    reads: Passed, name: str, args: tuple[Any, ...], named: Mapping[str, Any]
) -> Any:
    """What it reads; None where it can't, since the tool runs all the same."""
    try:
        return reads(args, named)
    except Exception:  # noqa: BLE001 -- the toolset only observes
        _log.exception("What %s was called with couldn't be read", one_line(name))
        return None


def _watched(step: Step, name: str, tool: Tool) -> Tool:
    if inspect.iscoroutinefunction(tool):

        @functools.wraps(tool)
        async def watched(*args: Any, **named: Any) -> Any:
            entry = step.enter(name, args, named)
            return await _awaited(step, entry, tool(*args, **named))

        return watched

    @functools.wraps(tool)
    def watched_sync(*args: Any, **named: Any) -> Any:
        entry = step.enter(name, args, named)
        try:
            value = tool(*args, **named)
        except BaseException as error:
            step.raised(entry, error)
            raise
        if inspect.isawaitable(value):
            return _awaited(step, entry, value)
        step.gave(entry, value)
        return value

    return watched_sync


async def _awaited(step: Step, entry: _Entry, awaitable: Any) -> Any:
    try:
        value = await awaitable
    except BaseException as error:
        step.raised(entry, error)
        raise
    step.gave(entry, value)
    return value
