"""The outcome: every batch with its answers right behind it, and nothing lost."""

from dataclasses import replace
from typing import Any, assert_never

from toolroute._answers import TOOL_NOT_EXECUTED
from toolroute._text import one_line
from toolroute.transcript._model import Batch, Call, Other, Out, Result, Role, Turn
from toolroute.transcript._wire import Answer, is_own
from toolroute.transcript._work import Work


def lay_out(work: Work) -> None:
    """Fill `work.outs`; the format's own rules come after it."""
    match work.wire.layout:
        case "blocks":
            _blocks(work)
        case "messages":
            _messages(work)
        case "inside":
            _inside(work)
        case _:
            assert_never(work.wire.layout)
    work.wire.finish(work)


def _inside(work: Work) -> None:
    for turn in work.turns:
        units = [
            _in_place(work, u) if isinstance(u, Call) else u.raw for u in turn.units
        ]
        before = [unit.raw for unit in turn.units]
        same = all(new is old for new, old in zip(units, before, strict=True))
        raw = turn.raw if same else work.wire.compose(turn.raw, units)
        work.outs.append(Out(raw, turn.role, turn.message, turn.calls))


def _in_place(work: Work, call: Call) -> Any:
    raw = again(work, call)
    if call.running or (call.settled and not call.own):
        return raw
    answer = work.answer(call)
    if call.own and not work.is_real(answer):
        return raw
    _note_answer(work, call, answer)
    return work.wire.answer(replace(call, raw=raw), answer)


def _blocks(work: Work) -> None:
    batches = {batch.last: batch for batch in work.batches}
    answers: list[Any] = []
    for place, turn in enumerate(work.turns):
        if answers and not work.wire.takes_answers(turn):
            work.outs.append(Out(work.wire.compose(None, answers), "user"))
            answers = []
        _block_turn(work, turn, answers)
        answers = []
        batch = batches.get(place)
        if batch is not None:
            answers = [answer for _, answer in _answers(work, batch)]
    if answers:
        work.outs.append(Out(work.wire.compose(None, answers), "user"))


def _block_turn(work: Work, turn: Turn, answers: list[Any]) -> None:
    if answers and _stands(turn, answers):
        work.outs.append(Out(turn.raw, turn.role, turn.message, turn.calls))
        return
    units = [] if turn.role == "model" else list(answers)
    plain = 0
    for unit in turn.units:
        if isinstance(unit, Call):
            units.append(again(work, unit))
        elif isinstance(unit, Other):
            units.append(unit.raw)
            plain += 1
        else:
            units += _gone(work, unit)
    before = [unit.raw for unit in turn.units]
    same = len(units) == len(before)
    if same and all(new is old for new, old in zip(units, before, strict=True)):
        work.outs.append(Out(turn.raw, turn.role, turn.message, turn.calls))
    elif units or not before:
        message = work.wire.compose(turn.raw, units)
        work.outs.append(Out(message, turn.role, turn.message, turn.calls))
    else:
        _emptied(work, turn)


def _stands(turn: Turn, answers: list[Any]) -> bool:
    """Whether these answers are what the turn holds of results, each in its place."""
    if len(turn.results) != len(answers):
        return False
    found = zip(turn.results, answers, strict=True)
    return all(r.raw is a and not r.disordered for r, a in found)


def _emptied(work: Work, turn: Turn) -> None:
    if not work.outs:
        note = work.wire.note("[tool results without their calls were here]")
        message = work.wire.compose(turn.raw, [note])
        work.outs.append(Out(message, turn.role, turn.message))
        work.note("inserted", turn.message, "Nothing else was left of this message.")
        return
    last = turn is work.turns[-1] and work.outs[-1].role == "model"
    end = " The transcript ends with the assistant's message now." if last else ""
    work.note(
        "removed",
        turn.message,
        f"A message that held nothing else is left out.{end}",
        removed=turn.raw,
    )


def _gone(work: Work, result: Result) -> list[Any]:
    """What a result that isn't an answer here leaves behind."""
    if result.fate == "held":
        call = result.call
        return [result.raw if call is None else work.wire.result_again(result, call)]
    if result.fate == "moved":
        text = "The result was moved to where its call's results are."
        work.note("moved", result.message, text, call_id=result.id)
    elif result.fate == "dropped":
        text = "One result of two for one call is left out."
        if result.own:
            text = "An answer that settling wrote gave way to a real one."
        work.note(
            "removed", result.message, text, call_id=result.id, removed=result.raw
        )
    elif result.fate == "orphan":
        return _orphan(work, result)
    return []


def _orphan(work: Work, result: Result) -> list[Any]:
    kept = work.context.orphans == "text" and not result.own
    work.note(
        "kept_as_text" if kept else "removed",
        result.message,
        "A result without its call is kept as text."
        if kept
        else "A result without its call is left out.",
        call_id=result.id,
        removed=result.raw,
    )
    return work.wire.plain(result) if kept else []


def _messages(work: Work) -> None:
    batches = {batch.last: batch for batch in work.batches}
    for place, turn in enumerate(work.turns):
        if turn.role == "result":
            if turn.results and turn.results[0].whole:
                work.outs.append(Out(turn.raw, "result", turn.message))
            else:
                _result_turn(work, turn)
            continue
        calls = [again(work, call) for call in turn.calls]
        raw = turn.raw
        if any(
            new is not call.raw for new, call in zip(calls, turn.calls, strict=True)
        ):
            raw = work.wire.compose(turn.raw, calls)
        work.outs.append(Out(raw, turn.role, turn.message, turn.calls))
        batch = batches.get(place)
        if batch is not None:
            for call, answer in _answers(work, batch):
                source = call.result.message if call.result else None
                work.outs.append(Out(answer, "result", source))


def _result_turn(work: Work, turn: Turn) -> None:
    for result in turn.results:
        if result.fate == "kept":
            continue
        role: Role = "result" if result.fate == "held" else "user"
        work.outs += [Out(raw, role, turn.message) for raw in _gone(work, result)]


def again(work: Work, call: Call) -> Any:
    """The call as it goes out: the very same object unless something had to change."""
    changed = call.partial or call.empty_error
    if call.new_id is None and call.new_name is None and not changed:
        return call.raw
    if call.empty_error:
        text = f"The error of {one_line(call.name)} has a sentence now."
        work.note("rewritten", call.message, text, call_id=call.id)
    if call.partial:
        work.note(
            "rewritten",
            call.message,
            f"The arguments of {one_line(call.name)} were cut off: they are an empty "
            "object now.",
            call_id=call.id,
            removed=call.input,
        )
    return work.wire.call_again(call)


def _answers(work: Work, batch: Batch) -> list[tuple[Call, Any]]:
    """A batch's answers: those in place in their order, the others in call order."""
    zone = {id(r.call): r for r in batch.zone if r.fate == "kept"}
    missing: dict[int | None, list[Call]] = {}
    anchor: int | None = None
    for call in batch.calls:
        if id(call) in zone:
            anchor = id(call)
        else:
            missing.setdefault(anchor, []).append(call)
    order = list(missing.get(None, []))
    for result in batch.zone:
        if result.fate == "kept" and result.call is not None:
            order.append(result.call)
            order += missing.get(id(result.call), [])
    if work.wire.named and missing:
        order = batch.calls
    found = [(call, _answer(work, call)) for call in order]
    return [(call, raw) for call, raw in found if raw is not None]


def _answer(work: Work, call: Call) -> Any:
    """What stands behind the batch for this call, or None for nothing."""
    if call.settled:
        return None
    if call.result is not None:
        return _found(work, call, call.result)
    return None if call.running else _missing(work, call)


def _missing(work: Work, call: Call) -> Any:
    answer = work.answer(call)
    raw = work.wire.answer(call, answer)
    if raw is not None:
        _note_answer(work, call, answer)
    return raw


def _found(work: Work, call: Call, result: Result) -> Any:
    if result.whole or result.fate == "held":
        return None
    better = work.better(result)
    if better is not None:
        _note_answer(work, call, better)
        return work.wire.answer(call, better)
    if result.disordered and result.fate == "kept":
        text = "The result was moved in front of what else its message holds."
        work.note("moved", result.message, text, call_id=result.id)
    raw = work.wire.result_again(result, call)
    if raw is not result.raw and (call.new_id is None or result.unfit):
        _note_rewritten(work, result)
    return raw


def _note_answer(work: Work, call: Call, answer: Answer) -> None:
    if not is_own(answer.content):
        how = "answered with the result on record"
    elif TOOL_NOT_EXECUTED in answer.text:
        how = "answered as not executed"
    else:
        how = "answered as outcome unknown"
    text = f"The call {one_line(call.name)} is {how}."
    work.note("answered", call.message, text, call_id=call.id)


def _note_rewritten(work: Work, result: Result) -> None:
    work.note(
        "rewritten",
        result.message,
        "The result was given what it lacked: its call's id or name, or content that "
        "is taken.",
        call_id=result.id,
        removed=result.raw,
    )
