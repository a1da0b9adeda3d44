"""What is wrong with the calls and results of a transcript, and their new ids."""

from typing import final

from toolroute._text import one_line
from toolroute.transcript._model import Batch, Call, Result
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import Wire
from toolroute.transcript._work import Work

REMEDY_UNKNOWN = "answered as outcome unknown, unless its real result is given"
REMEDY_ALONE = (
    "answered with the result in the evidence; without one it stays open, since only "
    "its tool can answer it"
)
REMEDY_CUT = "answered as not executed: its arguments are cut off or aren't JSON"
REMEDY_DENIED = "answered as denied, which its approval says that it was"
REMEDY_EMPTIED = "its arguments are made an empty object; its result stays"
REMEDY_SILENT = "given a sentence as its content"


def judge(work: Work) -> None:
    """Report every call and result that the provider doesn't accept."""
    ids = _Ids(work)
    names = _Names(work)
    for batch in work.batches:
        _batch(work, batch, ids, names)
    for turn in work.turns:
        for result in turn.results:
            _result(work, result)


def _batch(work: Work, batch: Batch, ids: "_Ids", names: "_Names") -> None:
    ids.start_batch()
    for call in batch.calls:
        ids.judge(call)
        names.judge(call)
        _answered(work, call)


def _answered(work: Work, call: Call) -> None:
    if call.empty_error:
        _say_call(work, "empty_error_content", call, REMEDY_SILENT)
    kind = _open_kind(call)
    if kind is not None:
        _say_call(work, kind, call, _open_remedy(work, call))


def _open_kind(call: Call) -> Kind | None:
    """What is wrong with how a call is answered; None for one that still runs."""
    if call.running:
        return None
    if call.partial:
        return "partial_call"
    if call.result is not None:
        return "unanswered_call" if call.result.family != call.family else None
    if call.settled:
        return None
    return "partial_call" if call.stopped else "unanswered_call"


def _open_remedy(work: Work, call: Call) -> str:
    result = call.result
    if result is not None:
        mistyped = result.family != call.family
        return f"its result is {_written(result)}" if mistyped else REMEDY_EMPTIED
    if call.denied:
        return REMEDY_DENIED
    if call.cut or call.partial:
        return REMEDY_CUT
    return REMEDY_ALONE if work.wire.needs_answer(call) else REMEDY_UNKNOWN


def _no_id(given: str | None) -> Kind:
    return "missing_call_id" if given is None else "empty_call_id"


def _say_call(work: Work, kind: Kind, call: Call, remedy: str) -> None:
    work.report(
        kind,
        call.message,
        call=call,
        call_id=call.id,
        name=call.name,
        block=call.block,
        remedy=remedy,
    )


def _result(work: Work, result: Result) -> None:
    if result.fate == "orphan":
        _orphan(work, result)
    elif result.doubles:
        _say(work, "duplicate_result", result, "one of the two is kept: a real one")
    elif result.call is not None and result.fate != "dropped":
        _paired(work, result, result.call)


def _paired(work: Work, result: Result, call: Call) -> None:
    """A result that stays with its call: its place, what it lacks, its content."""
    if result.family != call.family:
        _say(work, "orphan_result", result, _written(result))
    if result.fate == "moved" or result.disordered:
        _say(work, "misplaced_result", result, "moved to where its call's results are")
    if call.id and not result.id:
        _say(work, _no_id(result.id), result, "given its call's id")
    if _lacks_name(work.wire, result, call):
        _say(work, "missing_result_name", result, "given its call's name")
    if result.unfit:
        _say(work, "invalid_result_content", result, "put in a form that is taken")
    if result.empty_error:
        _say(work, "empty_error_content", result, REMEDY_SILENT)


def _lacks_name(wire: Wire, result: Result, call: Call) -> bool:
    if wire.named and result.name != call.name:
        return True
    return wire.needs_name and not result.name


def _written(result: Result) -> str:
    if result.given_id is not None:
        return "given the id that pairs it with its call"
    return "written as the type that its call needs"


def _say(work: Work, kind: Kind, result: Result, remedy: str) -> None:
    work.report(
        kind,
        result.message,
        call=result.call,
        call_id=result.given_id or result.id,
        name=result.name or (result.call.name if result.call else None),
        block=result.block,
        remedy=remedy,
    )


def _orphan(work: Work, result: Result) -> None:
    if result.whole:
        return
    loose = "output_by_name" in work.context.rules.loose
    if result.id is None and result.name and loose:
        result.fate = "held"
        return
    keep = work.context.orphans == "text"
    remedy = "its content is kept as text" if keep else "dropped"
    unpaired = result.id is None and not work.wire.named
    _say(work, "missing_call_id" if unpaired else "orphan_result", result, remedy)


@final
class _Ids:
    """Judges ids, and finds new ones: the same on both sides, and no two alike."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._rule = work.context.rules.ids
        self._seen: set[str] = set()
        self._batch: set[str] = set()
        self._turns: dict[str, int] = {}
        self._renamed: dict[str, str] = {}
        self._taken: set[str] | None = None
        self._server = work.wire.server_ids(work.turns)

    def start_batch(self) -> None:
        self._batch = set()

    def judge(self, call: Call) -> None:
        rule, call_id = self._rule, call.id
        if not call_id:
            if not self._may_be_empty(call):
                first = self._work.context.first
                wanted = f"call_{first + call.message}_{call.index}"
                self._rename(call, _no_id(call_id), self._free(rule.fit(wanted)))
            return
        seen = self._seen if rule.unique == "request" else self._batch
        again = rule.unique == "request" and self._work.context.is_used(call_id)
        if rule.unique != "none" and (again or call_id in seen):
            self._rename(call, "duplicate_call_id", self._next(call_id))
        elif not rule.fits(call_id):
            new = self._renamed.get(call_id)
            if new is None:
                new = self._renamed[call_id] = self._free(rule.fit(call_id))
            self._rename(call, "invalid_call_id", new)
        seen.add(call_id)

    def _may_be_empty(self, call: Call) -> bool:
        required = self._rule.required
        if required == "never" or (required == "present" and call.id is not None):
            return True
        named = call.result is not None and call.result.id
        if required != "apart" or call.id is None or named or "" in self._batch:
            return False
        self._batch.add("")
        return True

    def _rename(self, call: Call, kind: Kind, new_id: str) -> None:
        call.new_id = new_id
        remedy = f"the call and its result get the id {new_id}"
        _say_call(self._work, kind, call, remedy)
        self._work.note(
            "renamed",
            call.message,
            f"The call {one_line(call.name)} and its result have the id {new_id} now.",
            call_id=call.id,
            removed=call.id,
        )

    def _next(self, call_id: str) -> str:
        while True:
            turn = self._turns.get(call_id, 1) + 1
            self._turns[call_id] = turn
            new_id = self._rule.fit(f"{call_id}_{turn}")
            if not self._is_taken(new_id):
                self._ids_in_use().add(new_id)
                return new_id

    def _free(self, wanted: str) -> str:
        if self._is_taken(wanted):
            return self._next(wanted)
        self._ids_in_use().add(wanted)
        return wanted

    def _is_taken(self, call_id: str) -> bool:
        used = self._work.context.is_used(call_id)
        return used or call_id in self._ids_in_use()

    def _ids_in_use(self) -> set[str]:
        if self._taken is None:
            taken = set(self._server)
            for turn in self._work.turns:
                taken |= {call.id for call in turn.calls if call.id}
                taken |= {result.id for result in turn.results if result.id}
            self._taken = taken
        return self._taken


@final
class _Names:
    """Judges tools' names, when a target was named, and finds new ones."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._rule = work.context.rules.names
        self._new: dict[str, str] = {}

    def judge(self, call: Call) -> None:
        rule = self._rule
        if rule is None or rule.fits(call.name):
            return
        if call.name not in self._new:
            self._new[call.name] = rule.fit(call.name)
        call.new_name = self._new[call.name]
        remedy = f"the tool is called {call.new_name}"
        _say_call(self._work, "invalid_name", call, remedy)
        self._work.note(
            "renamed",
            call.message,
            f"The tool {one_line(call.name)} is called {call.new_name} in this call.",
            call_id=call.id,
            removed=call.name,
        )
