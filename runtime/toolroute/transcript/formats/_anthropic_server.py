"""Calls that Anthropic runs itself: paired by id, and never answered by the client.

One without a result is legal while it is deferred: in the last assistant message, with
nothing behind it but the results of that message's other calls. Words behind those end
the turn, so they are handed back, to be sent after the assistant's next message. A call
that a later assistant message left behind can't get its result any more, and is left
out.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from toolroute._text import one_line
from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Other, Out
from toolroute.transcript._wire import as_text, orphan_text
from toolroute.transcript._work import Work

SERVER_CALLS: Final = frozenset({"server_tool_use", "mcp_tool_use"})


_Gone: TypeAlias = dict[int, dict[int, list[Any]]]
"""What stands instead of a block, by the message's place and the block's."""


@final
@dataclass(slots=True)
class _Pending:
    place: int
    """In `work.outs`."""
    block: int
    id: str
    name: str


def is_server_result(block: Any) -> bool:
    """Whether this is the result of a call that the server ran."""
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("_tool_result")


def waiting(message: Any) -> int:
    """The server's calls in this message, less the results of such calls."""
    content = message["content"]
    blocks = content if is_list(content) else []
    calls = [block for block in blocks if block["type"] in SERVER_CALLS]
    return len(calls) - len([block for block in blocks if is_server_result(block)])


def settle_server_calls(work: Work) -> None:
    """Report and mend what the server's own calls make illegal."""
    gone: _Gone = {}
    pending = _pair(work, gone)
    models = [place for place, out in enumerate(work.outs) if out.role == "model"]
    last = models[-1] if models else 0
    _leave_out(work, [call for call in pending if call.place < last], gone)
    for place, blocks in gone.items():
        _replace(work, work.outs[place], blocks)
    deferred = [call for call in pending if call.place == last]
    tail = work.outs[last + 1 :]
    if deferred and any(_words(out) for out in tail):
        if _spoken(work, work.outs[last]):
            for call in deferred:
                _report(work, call, "what stands behind the results is handed back")
        del work.outs[last + 1 :]
        for out in tail:
            _hand_back(work, out)
    work.outs = [out for out in work.outs if not _emptied(work, out, gone)]


def _blocks(out: Out) -> list[Any]:
    content = out.message.get("content")
    return content if is_list(content) else []


def _pair(work: Work, gone: _Gone) -> list[_Pending]:
    """The calls without a result; what is to go of results without a call."""
    pending: dict[str, list[_Pending]] = {}
    for place, out in enumerate(work.outs):
        for number, block in enumerate(_blocks(out)):
            if block.get("type") in SERVER_CALLS:
                call_id = as_text(block.get("id"))
                call = _Pending(place, number, call_id, as_text(block.get("name")))
                pending.setdefault(call_id, []).append(call)
            elif is_server_result(block):
                waiting = pending.get(as_text(block.get("tool_use_id")))
                if not waiting:
                    left = _stray(work, out, number, block, double=waiting == [])
                    gone.setdefault(place, {})[number] = left
                    continue
                call = waiting.pop(0)
                if out.role != "model":
                    _bring_home(work, call, out, number, gone)
                    gone.setdefault(place, {})[number] = []
    return [call for calls in pending.values() for call in calls]


def _bring_home(work: Work, call: _Pending, out: Out, number: int, gone: _Gone) -> None:
    """A result in the user's message goes behind its call, in the assistant's."""
    result = _blocks(out)[number]
    work.report(
        "misplaced_result",
        out.source or 0,
        call_id=call.id,
        name=call.name,
        block=number,
        remedy="moved into the assistant's message, behind its call",
    )
    text = "A server's result was moved into the assistant's message, behind its call."
    work.note("moved", out.source, text, call_id=call.id)
    asked = _blocks(work.outs[call.place])[call.block]
    gone.setdefault(call.place, {})[call.block] = [asked, result]


def _stray(work: Work, out: Out, number: int, block: Any, *, double: bool) -> list[Any]:
    call_id = as_text(block.get("tool_use_id"))
    text = work.context.orphans == "text" and not double
    work.report(
        "duplicate_result" if double else "orphan_result",
        out.source or 0,
        call_id=call_id,
        block=number,
        remedy="its content is kept as text" if text else "left out",
    )
    work.note(
        "kept_as_text" if text else "removed",
        out.source,
        "A server's result without its call is "
        + ("kept as text." if text else "left out."),
        call_id=call_id,
        removed=block,
    )
    payload = orphan_text(None, as_text(block.get("content")))
    return [{"type": "text", "text": payload}] if text else []


def _replace(work: Work, out: Out, gone: dict[int, list[Any]]) -> None:
    kept: list[Any] = []
    for number, block in enumerate(_blocks(out)):
        kept += gone.get(number, [block])
    thought = kept and kept[-1].get("type") in ("thinking", "redacted_thinking")
    if out.role == "model" and (not kept or thought):
        kept.append(work.wire.note("[a server tool was called here]"))
    out.message = work.wire.compose(out.message, kept)


def _report(work: Work, call: _Pending, remedy: str) -> None:
    source = work.outs[call.place].source
    work.report(
        "pending_server_call",
        source or 0,
        call_id=call.id,
        name=call.name,
        block=call.block,
        remedy=remedy,
    )


def _leave_out(work: Work, left: list[_Pending], gone: _Gone) -> None:
    for call in left:
        _report(work, call, "left out: its result can't come any more")
        out = work.outs[call.place]
        work.note(
            "removed",
            out.source,
            f"The server's call {one_line(call.name)} has no result and is left out.",
            call_id=call.id,
            removed=_blocks(out)[call.block],
        )
        gone.setdefault(call.place, {})[call.block] = []


def _words(out: Out) -> bool:
    content = out.message.get("content")
    if isinstance(content, str):
        return True
    return any(block.get("type") != "tool_result" for block in content)


def _spoken(work: Work, behind: Out) -> bool:
    """Whether somebody said something behind this message, as it was given."""
    return any(
        isinstance(unit, Other)
        and not (is_record(unit.raw) and is_server_result(unit.raw))
        for turn in work.turns
        if turn.message > (behind.source or 0)
        for unit in turn.units
    )


def _emptied(work: Work, out: Out, gone: _Gone) -> bool:
    """Whether nothing is left of a message, since its results went to their calls."""
    if not gone or out.source is None or out.role == "model" or _blocks(out):
        return False
    turn = work.turns[out.source]
    left = bool(turn.units) and out.message.get("content") == []
    if left:
        text = "A message that held nothing else is left out."
        work.note("removed", out.source, text, removed=turn.raw)
    return left


def _had_servers(message: Any) -> bool:
    content = message["content"]
    return is_list(content) and any(map(is_server_result, content))


def _hand_back(work: Work, out: Out) -> None:
    results = [b for b in _blocks(out) if b.get("type") == "tool_result"]
    if results:
        work.outs.append(
            Out(work.wire.compose(out.message, results), out.role, out.source)
        )
    if not _words(out):
        return
    later = out.message
    if results:
        words = [b for b in _blocks(out) if b.get("type") != "tool_result"]
        later = work.wire.compose(out.message, words)
    turn = work.turns[out.source] if out.source is not None else None
    if turn is not None and not turn.results and not _had_servers(turn.raw):
        later = turn.raw
    work.send_later.append(later)
    work.note(
        "handed_back",
        out.source,
        "What the user said is handed back, to be sent after the assistant's next "
        "message: until then the server's call still runs.",
        removed=later,
    )
