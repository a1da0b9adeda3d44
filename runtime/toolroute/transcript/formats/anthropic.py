"""Anthropic Messages: results are the first blocks of the next user message."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Call, Other, Result, Turn, Unit
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import (
    DOUBT,
    Answer,
    Peek,
    Reader,
    Wire,
    as_text,
    is_own,
    orphan_text,
    turn_of,
)
from toolroute.transcript._work import Work
from toolroute.transcript.formats._anthropic_peek import peek_calls, peek_results
from toolroute.transcript.formats._anthropic_server import (
    SERVER_CALLS,
    is_server_result,
    settle_server_calls,
    waiting,
)
from toolroute.transcript.formats._fields import (
    ROLES,
    call_fields,
    no_words,
    role_in,
    with_call_id,
)

_ASSISTANTS: Final = ("tool_use", *SERVER_CALLS)
_SHOWABLE: Final = {"text", "image", "document", "search_result"}


@final
class _Anthropic(Wire):
    name = "anthropic"
    layout = "blocks"
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "`tool_use` ids were found without `tool_result` blocks immediately after: "
            "{id}. Each `tool_use` block must have a corresponding `tool_result` block "
            "in the next message."
        ),
        "misplaced_result": (
            "`tool_use` ids were found without `tool_result` blocks immediately after: "
            "{id}."
        ),
        "orphan_result": (
            "unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each "
            "`tool_result` block must have a corresponding `tool_use` block in the "
            "previous message."
        ),
        "duplicate_result": (
            "each tool_use must have a single result. Found multiple `tool_result` "
            "blocks with id: {id}"
        ),
        "duplicate_call_id": "`tool_use` ids must be unique",
        "empty_call_id": (
            "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        ),
        "invalid_call_id": (
            "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        ),
        "missing_call_id": "tool_use.id: Field required",
        "partial_call": "tool_use.input: Input should be a valid dictionary",
        "empty_error_content": (
            "tool_result: content cannot be empty if `is_error` is true"
        ),
        "pending_server_call": (
            "`{name}` tool use with id {id} was found without a corresponding result "
            "block"
        ),
        "invalid_name": (
            "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
        ),
    }

    def peek(self, message: Any) -> Peek:
        try:
            content, role = message["content"], message["role"]
            if role == "assistant":
                return None if type(content) is str else peek_calls(content)
            if role == "user":
                return None if type(content) is str else peek_results(content)
        except (KeyError, TypeError):
            return DOUBT
        return DOUBT

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        block: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": call.new_id or call.id,
            "content": answer.text,
        }
        if answer.is_error:
            block["is_error"] = True
            block["content"] = answer.text or no_words(call.name)
        return block

    def call_again(self, call: Call) -> Any:
        return call_fields(call.raw, call, call_id="id", name="name", given="input")

    def result_again(self, result: Result, call: Call) -> Any:
        raw = with_call_id(result.raw, "tool_use_id", result, call)
        if result.empty_error:
            raw = {**raw, "content": no_words(call.name)}
        return raw

    def plain(self, result: Result) -> list[Any]:
        content = result.raw.get("content")
        if not is_list(content):
            return [_text(orphan_text(None, as_text(content or "")))]
        blocks: list[Any] = [_text(orphan_text(None, ""))]
        for block in content:
            kind = block.get("type") if is_record(block) else None
            if kind == "text" and block.get("text") and len(blocks) == 1:
                blocks[0] = _text(orphan_text(None, as_text(block["text"])))
            elif isinstance(kind, str) and kind in _SHOWABLE:
                blocks.append(block)
            else:
                blocks.append(_text(as_text(block)))
        return blocks

    def note(self, text: str) -> Any:
        return _text(text)

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        blocks = [_text(u) if isinstance(u, str) else u for u in units if u != ""]
        return {**(raw or {"role": "user"}), "content": blocks}

    def server_ids(self, turns: Sequence[Turn]) -> set[str]:
        return {call_id for t in turns for call_id, _, _ in _server_calls(t)}

    def waits(self, message: Any) -> int:
        return waiting(message)

    def unfinished(self, messages: Sequence[Any]) -> bool:
        last = next((m for m in reversed(messages) if m["role"] == "assistant"), None)
        return last is not None and self.peek(last) is DOUBT

    def finish(self, work: Work) -> None:
        settle_server_calls(work)


FORMAT = _Anthropic()


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("anthropic", place)
    reader.record(message, "an object with `role` and `content`")
    role = role_in(reader, message, "`user` or `assistant` under `role`")
    content = message.get("content")
    if isinstance(content, str):
        units: list[Unit] = [Other(place, None, content)]
    else:
        reader.items(content, "text or a list of blocks under `content`")
        units = _units(reader, role, content)
    return turn_of(place, ROLES[role], message, units)


def _units(reader: Reader, role: str, content: list[Any]) -> list[Unit]:
    units: list[Unit] = []
    index = 0
    other = False
    for block, raw in enumerate(content):
        reader.record(raw, "a block, an object with `type`", block)
        kind = raw.get("type")
        if role != "assistant" and kind in _ASSISTANTS:
            reader.stop(f"no `{kind}` block in a {role} message", raw, block=block)
        if kind == "tool_use":
            units.append(_call(reader, block, index, raw))
            index += 1
        elif kind == "tool_result":
            result = _result(reader, block, raw)
            result.disordered = other
            units.append(result)
        else:
            reader.text(raw, "type", block)
            other = other or role == "assistant" or not is_server_result(raw)
            units.append(Other(reader.message, block, raw))
    return units


def _call(reader: Reader, block: int, index: int, raw: Any) -> Call:
    call_id = reader.maybe(raw, "id", block)
    name = reader.text(raw, "name", block)
    given = raw.get("input")
    partial = not is_record(given)
    return Call(
        reader.message, block, index, call_id, name, given, raw, partial=partial
    )


def _result(reader: Reader, block: int, raw: Any) -> Result:
    content = raw.get("content")
    if content is not None and not isinstance(content, (str, list)):
        reader.stop("text or a list of blocks under `content`", content, block=block)
    empty = not content or content == [{"type": "text", "text": ""}]
    return Result(
        reader.message,
        block,
        reader.maybe(raw, "tool_use_id", block),
        None,
        raw,
        own=is_own(_only_text(content)),
        empty_error=empty and raw.get("is_error") is True,
    )


def _only_text(content: Any) -> Any:
    if is_list(content) and len(content) == 1 and is_record(content[0]):
        return content[0].get("text")
    return content


def _server_calls(turn: Turn) -> list[tuple[str, str, int]]:
    """(id, name, block) of the calls that the provider runs itself."""
    if turn.role != "model":
        return []
    return [
        (unit.raw["id"], str(unit.raw.get("name")), unit.block or 0)
        for unit in turn.units
        if isinstance(unit, Other)
        and is_record(unit.raw)
        and unit.raw.get("type") in SERVER_CALLS
        and isinstance(unit.raw.get("id"), str)
    ]
