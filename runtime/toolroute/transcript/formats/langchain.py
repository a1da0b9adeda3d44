"""LangChain's messages: `ai` with calls, and a `tool` message for each of them.

A call stands in `tool_calls`, `invalid_tool_calls`, a provider's content block or
`additional_kwargs`, often in two of them at once: then it is one call. The flat form is
the one that is read; the shapes that messages are stored in are kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Call, Other, Result, Role, Turn, Unit
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
    orphan_text,
    turn_of,
)
from toolroute.transcript._work import Work
from toolroute.transcript.formats._langchain_calls import BLOCKS, calls_of, function_in
from toolroute.transcript.formats._langchain_peek import peek
from toolroute.transcript.formats._langchain_shapes import (
    fields_of,
    kind_in,
    shape_of,
    shaped,
    with_fields,
)

ROLES: Final[Mapping[str, Role]] = {
    "human": "user",
    "user": "user",
    "ai": "model",
    "assistant": "model",
    "AIMessageChunk": "model",
    "HumanMessageChunk": "user",
    "SystemMessageChunk": "aside",
    "ToolMessageChunk": "result",
    "tool": "result",
    "system": "aside",
    "developer": "aside",
    "chat": "user",
    "function": "user",
    "remove": "aside",
}


@final
class _LangChain(Wire):
    name = "langchain"
    layout = "messages"
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "INVALID_CHAT_HISTORY: Found AIMessages with tool_calls that do not have a "
            "corresponding ToolMessage: {id}"
        ),
        "misplaced_result": (
            "LangGraph takes it; providers want the results of {id}'s message right "
            "behind it"
        ),
        "orphan_result": (
            "LangGraph doesn't notice; providers refuse a tool message without a call"
        ),
        "duplicate_result": "LangGraph doesn't notice; providers refuse two results",
        "duplicate_call_id": "two calls of one message have the id {id}",
        "missing_call_id": "INVALID_CHAT_HISTORY: no ToolMessage can name this call",
        "empty_call_id": "INVALID_CHAT_HISTORY: no ToolMessage can name this call",
        "invalid_call_id": "the target doesn't take the id {id}",
        "invalid_name": "the target doesn't take the tool's name {name}",
    }

    @property
    def rules(self) -> Rules:
        return FREE_IDS

    def peek(self, message: Any) -> Peek:
        try:
            return peek(message)
        except (AttributeError, KeyError, TypeError):
            return DOUBT

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        message = {"type": "tool", "content": answer.text}
        if call.name:
            message["name"] = call.new_name or call.name
        message["tool_call_id"] = call.new_id or call.id or ""
        message["status"] = "error" if answer.is_error else "success"
        return message

    def call_again(self, call: Call) -> Any:
        return [(place, _renamed(place, raw, call)) for place, raw in call.raw]

    def result_again(self, result: Result, call: Call) -> Any:
        raw = result.raw
        call_id = call.new_id or call.id
        if result.id != call_id:
            raw = with_fields(raw, {"tool_call_id": call_id})
        if call.new_name is not None and fields_of(raw).get("name") is not None:
            raw = with_fields(raw, {"name": call.new_name})
        return raw

    def plain(self, result: Result) -> list[Any]:
        content = fields_of(result.raw).get("content")
        if is_list(content):
            texts = [
                block.get("text") if is_record(block) else block for block in content
            ]
            if not all(isinstance(text, str) for text in texts):
                mark = {"type": "text", "text": orphan_text(result.name, "").rstrip()}
                return [{"type": "human", "content": [mark, *content]}]
            content = "\n".join(map(as_text, texts))
        return [self.note(orphan_text(result.name, as_text(content or "")))]

    def note(self, text: str) -> Any:
        return {"type": "human", "content": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        places = {place: new for unit in units for place, new in unit}
        fields = fields_of(raw)
        changed: dict[str, Any] = {}
        for where in ("tool_calls", "invalid_tool_calls", "content"):
            if is_list(fields.get(where)):
                changed[where] = _replaced(where, fields[where], places)
        extra = fields.get("additional_kwargs")
        if is_record(extra) and is_list(extra.get("tool_calls")):
            calls = _replaced("additional_kwargs", extra["tool_calls"], places)
            changed["additional_kwargs"] = {**extra, "tool_calls": calls}
        return with_fields(raw, changed)

    def finish(self, work: Work) -> None:
        stood = {id(turn.raw) for turn in work.turns}
        shape = shape_of(work.turns[0].raw) if work.turns else "type"
        for out in work.outs:
            turn = work.turns[out.source] if out.source is not None else None
            written = out.role != "model" and id(out.message) not in stood
            if written and shape_of(out.message) == "type":
                out.message = shaped(out.message, shape)
            new = _new_ids(turn) if turn is not None else {}
            if turn is not None and new:
                out.message = _with_ids(turn.raw, new)
                text = "A result inside a human message has its call's id now."
                work.note("rewritten", out.source, text)


FORMAT = _LangChain()


def _new_ids(turn: Turn) -> dict[int | None, str]:
    """For results inside a human message: the ids that they lack, by block."""
    wanted = {
        result.block: result.call.new_id or result.call.id
        for result in turn.results
        if result.whole and result.call is not None
    }
    return {
        result.block: call_id
        for result in turn.results
        if (call_id := wanted.get(result.block)) and call_id != result.id
    }


def _replaced(
    where: str, blocks: list[Any], places: Mapping[tuple[str, int], Any]
) -> list[Any]:
    return [places.get((where, i), block) for i, block in enumerate(blocks)]


def _with_ids(message: Any, ids: Mapping[int | None, str]) -> Any:
    content = [
        {**block, "tool_use_id": ids[place]} if place in ids else block
        for place, block in enumerate(fields_of(message)["content"])
    ]
    return with_fields(message, {"content": content})


def _renamed(place: tuple[str, int], raw: Any, call: Call) -> Any:
    where, _ = place
    call_id = call.new_id or call.id
    if function_in(where, raw):
        function = {**raw["function"], "name": call.new_name or call.name}
        return {**raw, "id": call_id, "function": function}
    key = "id" if where != "content" else BLOCKS[raw["type"]][0]
    new = {**raw, key: call_id}
    if call.new_name is not None:
        new["name"] = call.new_name
    return new


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("langchain", place)
    reader.record(message, "an object with `type` and `content`")
    kind = kind_in(message)
    if not isinstance(kind, str) or kind not in ROLES:
        reader.stop("human, ai, tool or system under `type`", kind)
    fields = fields_of(message)
    content = fields.get("content")
    if content is not None and not isinstance(content, (str, list)):
        reader.stop("text or a list of blocks under `content`", content)
    role = ROLES[kind]
    units: list[Unit] = [Other(place, None, message)]
    if role == "result":
        units = [_result(reader, message, fields)]
    elif role == "model":
        units = list(calls_of(reader, fields))
    elif role == "user" and is_list(content):
        inside: list[Unit] = [*_inside(reader, content)]
        if inside:
            role, units = "result", inside
    return turn_of(place, role, message, units)


def _result(reader: Reader, message: Any, fields: Any) -> Result:
    return Result(
        reader.message,
        None,
        reader.maybe(fields, "tool_call_id"),
        reader.maybe(fields, "name"),
        message,
        own=is_own(fields.get("content")),
    )


def _inside(reader: Reader, content: list[Any]) -> Iterator[Result]:
    """Anthropic's results in a human message, which stays as it is."""
    for block, raw in enumerate(content):
        if is_record(raw) and raw.get("type") == "tool_result":
            call_id = reader.maybe(raw, "tool_use_id", block)
            yield Result(reader.message, block, call_id, None, raw, whole=True)
