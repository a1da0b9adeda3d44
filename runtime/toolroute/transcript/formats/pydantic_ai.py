"""pydantic-ai's messages as JSON: returns stand first in the next request."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST, is_record
from toolroute.transcript._model import Call, Other, Out, Result, Role, Turn, Unit
from toolroute.transcript._rules import FREE_IDS, Rules
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import (
    DOUBT,
    Answer,
    Peek,
    Reader,
    Wire,
    as_text,
    is_own,
    not_json,
    orphan_text,
    turn_of,
)
from toolroute.transcript._work import Work
from toolroute.transcript.formats._fields import call_fields, with_call_id

_IN_PLACE: Final = "tool-availability-delta"
"""What pydantic-ai puts behind a return, also between two, and leaves there."""

_SYNTHESIZED: Final = "pydantic_ai_synthesized_tool_return"
"""The mark of a return that pydantic-ai's own repair made: a real one replaces it."""

_ARGS: Final = (dict, str, type(None))
_KINDS: Final[Mapping[str, Role]] = {"request": "user", "response": "model"}


@final
class _PydanticAI(Wire):
    name = "pydantic_ai"
    layout = "blocks"
    needs_name = True
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "Cannot provide a new user prompt when the message history contains "
            "unprocessed tool calls."
        ),
        "misplaced_result": "a tool return belongs in the next request, before prompts",
        "orphan_result": "a tool return without a tool call in front of it is dropped",
        "duplicate_result": "a second tool return for the call {id}",
        "duplicate_call_id": "two tool calls of one response have the id {id}",
        "missing_call_id": "tool_call_id: Field required",
        "empty_call_id": "tool_call_id is empty",
        "missing_result_name": "tool_name: Field required",
        "partial_call": "args: expected a string or an object",
        "invalid_call_id": "the target doesn't take the tool_call_id {id}",
        "invalid_name": "the target doesn't take the tool's name {name}",
    }

    @property
    def rules(self) -> Rules:
        return FREE_IDS

    def peek(self, message: Any) -> Peek:
        try:
            parts, kind = message["parts"], message["kind"]
            if type(parts) is not LIST:
                return DOUBT
            if kind == "response":
                return _peek_calls(parts)
            return _peek_results(parts) if kind == "request" else DOUBT
        except (KeyError, TypeError):
            return DOUBT

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        return {
            "part_kind": "tool-return",
            "tool_name": call.new_name or call.name,
            "content": answer.text if answer.is_error else answer.content,
            "tool_call_id": call.new_id or call.id,
            "outcome": "failed" if answer.is_error else "success",
        }

    def call_again(self, call: Call) -> Any:
        return call_fields(
            call.raw, call, call_id="tool_call_id", name="tool_name", given="args"
        )

    def result_again(self, result: Result, call: Call) -> Any:
        raw = with_call_id(result.raw, "tool_call_id", result, call)
        if call.new_name is not None or not result.name:
            raw = {**raw, "tool_name": call.new_name or call.name}
        return raw

    def plain(self, result: Result) -> list[Any]:
        return [self.note(orphan_text(result.name, as_text(result.raw.get("content"))))]

    def note(self, text: str) -> Any:
        return {"part_kind": "user-prompt", "content": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return {**(raw or {"kind": "request"}), "parts": list(units)}

    def finish(self, work: Work) -> None:
        """Make one request of two that follow each other, where one was changed."""
        outs: list[Out] = []
        for out in work.outs:
            before = outs[-1] if outs else None
            both = before is not None and (before.role, out.role) == ("user", "user")
            merged = None
            if before is not None and both and (_new(work, before) or _new(work, out)):
                merged = _one_request(before.message, out.message)
            if before is not None and merged is not None:
                before.message = merged
                text = "Two requests that followed each other are one request now."
                work.note("merged", out.source, text, removed=out.message)
            else:
                outs.append(out)
        work.outs[:] = outs


def _new(work: Work, out: Out) -> bool:
    return out.source is None or out.message is not work.turns[out.source].raw


FORMAT = _PydanticAI()


def _peek_calls(parts: list[Any]) -> Peek:
    calls: list[str] = []
    for part in parts:
        kind = part["part_kind"]
        if kind == "text":
            continue
        if kind == "tool-call":
            call_id = part["tool_call_id"]
            if type(call_id) is not str or type(part["tool_name"]) is not str:
                return DOUBT
            if type(part.get("args")) not in _ARGS:
                return DOUBT
            calls.append(call_id)
        elif type(kind) is not str or kind in ("tool-return", "retry-prompt"):
            return DOUBT
    return calls or None


def _peek_results(parts: list[Any]) -> Peek:
    results: list[str] = []
    other = False
    for part in parts:
        kind = part["part_kind"]
        if kind == "tool-return":
            call_id, name = part["tool_call_id"], part["tool_name"]
            if other or type(call_id) is not str or type(name) is not str or not name:
                return DOUBT
            results.append(call_id)
        elif type(kind) is not str or kind == "retry-prompt":
            return DOUBT
        elif kind != _IN_PLACE:
            other = True
    return tuple(results) or None


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("pydantic_ai", place)
    reader.record(message, "an object with `kind` and `parts`")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        reader.stop("`request` or `response` under `kind`", kind)
    parts = reader.items(message.get("parts"), "a list of parts under `parts`")
    units: list[Unit] = []
    index = 0
    late = False
    for block, raw in enumerate(parts):
        reader.record(raw, "a part, an object with `part_kind`", block)
        part = reader.text(raw, "part_kind", block)
        if part == "tool-call" and kind == "response":
            units.append(_call(reader, block, index, raw))
            index += 1
        elif part == "tool-return" or (part == "retry-prompt" and raw.get("tool_name")):
            result = _result(reader, block, raw)
            result.disordered = late
            units.append(result)
        else:
            late = late or part != _IN_PLACE
            units.append(Other(place, block, raw))
    return turn_of(place, _KINDS[kind], message, units)


def _call(reader: Reader, block: int, index: int, raw: Any) -> Call:
    args = raw.get("args")
    return Call(
        reader.message,
        block,
        index,
        reader.maybe(raw, "tool_call_id", block),
        reader.text(raw, "tool_name", block),
        args,
        raw,
        cut=isinstance(args, str) and not_json(args),
        partial=args is not None and not isinstance(args, (str, dict)),
    )


def _result(reader: Reader, block: int, raw: Any) -> Result:
    return Result(
        reader.message,
        block,
        reader.maybe(raw, "tool_call_id", block),
        reader.maybe(raw, "tool_name", block),
        raw,
        own=is_own(raw.get("content")) or _is_synthesized(raw.get("metadata")),
    )


def _is_synthesized(metadata: Any) -> bool:
    return is_record(metadata) and metadata.get(_SYNTHESIZED) is True


def _one_request(before: Any, behind: Any) -> Any:
    """Two requests as one, as pydantic-ai merges them; None if it wouldn't."""
    told = [message.get("instructions") for message in (before, behind)]
    if all(told) and told[0] != told[1]:
        return None
    instructions = {"instructions": told[1]} if told[1] else {}
    return {**before, **instructions, "parts": [*before["parts"], *behind["parts"]]}
