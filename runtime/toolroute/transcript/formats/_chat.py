"""What Chat Completions and the formats of the same shape share."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolroute.transcript._json import LIST, is_list, is_record
from toolroute.transcript._model import Call, Other, Result, Role, Turn, Unit
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
from toolroute.transcript.formats._fields import with_call_id

ROLES: Final[Mapping[str, Role]] = {
    "system": "aside",
    "developer": "aside",
    "user": "user",
    "assistant": "model",
    "function": "user",
    "tool": "result",
}
_CONTENT: Final = (list, type(None))


class ChatWire(Wire):
    """Assistant messages with `tool_calls`, and a `tool` message for each of them."""

    layout = "messages"
    either: bool = False
    """An assistant has words or calls, and may be marked as a prefix."""

    def peek(self, message: Any) -> Peek:
        try:
            role = message["role"]
            content = message["content"]
            if type(content) is not str and type(content) not in _CONTENT:
                return DOUBT
            if role == "assistant":
                calls = message.get("tool_calls")
                if self.either and (
                    bool(content) is bool(calls) or "prefix" in message
                ):
                    return DOUBT
                return None if calls is None else _peek_calls(calls)
            if role == "tool":
                return _peek_result(message, content)
            return None if role == "user" or role in ROLES else DOUBT  # noqa: TRY300
        except (KeyError, TypeError):
            return DOUBT

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [self._turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        return {
            "role": "tool",
            "tool_call_id": call.new_id or call.id,
            "content": answer.text,
        }

    def call_again(self, call: Call) -> Any:
        raw: dict[str, Any] = {**call.raw, "id": call.new_id or call.id}
        if call.new_name is not None:
            key = "custom" if raw.get("type") == "custom" else "function"
            raw[key] = {**call.raw[key], "name": call.new_name}
        return raw

    def result_again(self, result: Result, call: Call) -> Any:
        raw = with_call_id(result.raw, "tool_call_id", result, call)
        if call.new_name is not None and raw.get("name") is not None:
            raw = {**raw, "name": call.new_name}
        if result.unfit:
            raw = {**raw, "content": ""}
        return raw

    def plain(self, result: Result) -> list[Any]:
        content = result.raw.get("content")
        if is_list(content):
            texts = [part.get("text") for part in content if is_record(part)]
            if all(isinstance(text, str) for text in texts):
                content = "\n".join(map(as_text, texts))
        return [self.note(orphan_text(result.name, as_text(content or "")))]

    def note(self, text: str) -> Any:
        return {"role": "user", "content": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return {**raw, "tool_calls": list(units)}

    def _turn(self, place: int, message: Any) -> Turn:
        reader = Reader(self.name, place)
        reader.record(message, "an object with `role` and `content`")
        role = message.get("role")
        if not isinstance(role, str) or role not in ROLES:
            reader.stop(f"one of {', '.join(ROLES)} under `role`", role)
        content = message.get("content")
        if content is not None and not isinstance(content, (str, list)):
            reader.stop("text or a list of parts under `content`", content)
        units: list[Unit] = []
        if role == "tool":
            units.append(self._result(reader, message))
        elif role == "assistant":
            units = self._calls(reader, message)
        else:
            units.append(Other(place, None, message))
        return turn_of(place, ROLES[role], message, units)

    def _result(self, reader: Reader, message: Any) -> Result:
        content = message.get("content")
        return Result(
            reader.message,
            None,
            reader.maybe(message, "tool_call_id"),
            reader.maybe(message, "name"),
            message,
            own=is_own(content),
            unfit=content is None,
        )

    def _calls(self, reader: Reader, message: Any) -> list[Unit]:
        raw_calls = message.get("tool_calls")
        if raw_calls is None:
            return []
        reader.items(raw_calls, "a list of calls under `tool_calls`")
        return [
            self._call(reader, place, reader.record(raw, "a call, an object", place))
            for place, raw in enumerate(raw_calls)
        ]

    def _call(self, reader: Reader, place: int, raw: Any) -> Call:
        kind = "custom" if raw.get("type") == "custom" else "function"
        inside = reader.record(raw.get(kind), f"an object under `{kind}`", place)
        given = inside.get("arguments" if kind == "function" else "input")
        return Call(
            reader.message,
            place,
            place,
            reader.maybe(raw, "id", place),
            reader.text(inside, "name", place),
            given,
            raw,
            cut=kind == "function" and not_json(given),
        )


def only_text(content: Any) -> bool:
    """Whether this is a list of parts that are text, all of them."""
    return is_list(content) and all(
        is_record(part) and part.get("type") == "text" for part in content
    )


def _peek_result(message: Any, content: Any) -> Peek:
    call_id = message["tool_call_id"]
    if type(call_id) is not str or type(message.get("name", "")) is not str:
        return DOUBT
    return call_id if type(content) is str or only_text(content) else DOUBT


def _peek_calls(calls: Any) -> Peek:
    if type(calls) is not LIST:
        return DOUBT
    ids: list[str] = []
    for call in calls:
        call_id = call["id"]
        if type(call_id) is not str or type(call["function"]["name"]) is not str:
            return DOUBT
        ids.append(call_id)
    return ids or None
