"""LangChain's flat messages: `ai` with calls, and a `tool` message for each of them.

A call stands in `tool_calls`, `invalid_tool_calls`, a provider's content block or
`additional_kwargs`, often in two of them at once: then it is one call.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST, is_list, is_record
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
from toolroute.transcript.formats._langchain_calls import BLOCKS, calls_of

ROLES: Final[Mapping[str, Role]] = {
    "human": "user",
    "user": "user",
    "ai": "model",
    "assistant": "model",
    "AIMessageChunk": "model",
    "tool": "result",
    "system": "aside",
    "developer": "aside",
    "chat": "user",
    "function": "user",
    "remove": "aside",
}
_NONE: Final[tuple[Any, ...]] = (None, [])


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
            kind = message["type"]
            if type(message["content"]) is not str:
                return DOUBT
            if kind == "ai":
                return _peek_calls(message)
            if kind == "tool":
                call_id = message["tool_call_id"]
                good = type(call_id) is str and type(message.get("name", "")) is str
                return call_id if good else DOUBT
            return None if kind in ("human", "system") else DOUBT  # noqa: TRY300
        except (KeyError, TypeError):
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
            raw = {**raw, "tool_call_id": call_id}
        if call.new_name is not None and raw.get("name") is not None:
            raw = {**raw, "name": call.new_name}
        return raw

    def plain(self, result: Result) -> list[Any]:
        content = result.raw.get("content")
        if is_list(content):
            texts = [
                block.get("text") if is_record(block) else block for block in content
            ]
            if all(isinstance(text, str) for text in texts):
                content = "\n".join(map(as_text, texts))
        return [self.note(orphan_text(result.name, as_text(content or "")))]

    def note(self, text: str) -> Any:
        return {"type": "human", "content": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        places = {place: new for unit in units for place, new in unit}
        message = {**raw}
        for where in ("tool_calls", "invalid_tool_calls", "content"):
            if is_list(raw.get(where)):
                message[where] = _replaced(where, raw[where], places)
        extra = raw.get("additional_kwargs")
        if is_record(extra) and is_list(extra.get("tool_calls")):
            calls = _replaced("additional_kwargs", extra["tool_calls"], places)
            message["additional_kwargs"] = {**extra, "tool_calls": calls}
        return message

    def finish(self, work: Work) -> None:
        for out in work.outs:
            turn = work.turns[out.source] if out.source is not None else None
            new = _new_ids(turn) if turn is not None else {}
            if turn is None or not new:
                continue
            content = [
                {**block, "tool_use_id": new[place]} if place in new else block
                for place, block in enumerate(turn.raw["content"])
            ]
            out.message = {**turn.raw, "content": content}
            text = "A result inside a human message has its call's id now."
            work.note("rewritten", out.source, text)


FORMAT = _LangChain()


def _peek_calls(message: Any) -> Peek:
    if message.get("invalid_tool_calls") not in _NONE:
        return DOUBT
    if message.get("additional_kwargs"):
        return DOUBT
    calls = message.get("tool_calls")
    if calls in _NONE:
        return None
    ids: list[str] = []
    for call in calls:
        call_id = call["id"]
        if type(call_id) is not str or type(call["name"]) is not str:
            return DOUBT
        ids.append(call_id)
    return ids if type(calls) is LIST else DOUBT


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


def _renamed(place: tuple[str, int], raw: Any, call: Call) -> Any:
    where, _ = place
    call_id = call.new_id or call.id
    if where == "additional_kwargs":
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
    kind = message.get("type", message.get("role"))
    if not isinstance(kind, str) or kind not in ROLES:
        reader.stop("human, ai, tool or system under `type`", kind)
    content = message.get("content")
    if content is not None and not isinstance(content, (str, list)):
        reader.stop("text or a list of blocks under `content`", content)
    if "data" in message and "content" not in message:
        reader.stop("`content` beside `type`, as convert_to_messages takes it", message)
    role = ROLES[kind]
    units: list[Unit] = [Other(place, None, message)]
    if role == "result":
        units = [_result(reader, message)]
    elif role == "model":
        units = list(calls_of(reader, message))
    elif role == "user" and is_list(content):
        inside: list[Unit] = [*_inside(reader, content)]
        if inside:
            role, units = "result", inside
    return turn_of(place, role, message, units)


def _result(reader: Reader, message: Any) -> Result:
    return Result(
        reader.message,
        None,
        reader.maybe(message, "tool_call_id"),
        reader.maybe(message, "name"),
        message,
        own=is_own(message.get("content")),
    )


def _inside(reader: Reader, content: list[Any]) -> Iterator[Result]:
    """Anthropic's results in a human message, which stays as it is."""
    for block, raw in enumerate(content):
        if is_record(raw) and raw.get("type") == "tool_result":
            call_id = reader.maybe(raw, "tool_use_id", block)
            yield Result(reader.message, block, call_id, None, raw, whole=True)
