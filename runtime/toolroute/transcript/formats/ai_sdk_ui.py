"""Vercel AI SDK messages: a call is a part, and its result is that part's state.

Parts of version 4 (`tool-invocation`) are read too.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute._text import one_line
from toolroute.transcript._json import LIST
from toolroute.transcript._model import Call, Other, Role, Turn, Unit
from toolroute.transcript._rules import NO_IDS, Rules
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import (
    DOUBT,
    Answer,
    Peek,
    Reader,
    Wire,
    is_own,
    turn_of,
)

_ROLES: Final[Mapping[str, Role]] = {
    "user": "user",
    "assistant": "model",
    "system": "aside",
}
_OPEN: Final = {"input-streaming", "input-available", "approval-requested"}
_DONE: Final = {
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied",
}
_OPEN_V4: Final = {"partial-call", "call"}
_V4: Final = "tool-invocation"


@final
class _AISDK(Wire):
    name = "ai_sdk_ui"
    layout = "inside"
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": "AI_MissingToolResultsError: Tool result is missing for "
        "tool call {id}.",
        "partial_call": "the part is skipped, and its card stays on running",
        "empty_error_content": "errorText: expected a string",
        "duplicate_call_id": "two parts of one message have the toolCallId {id}",
        "missing_call_id": "toolCallId: expected a string",
        "empty_call_id": "toolCallId is empty",
        "invalid_call_id": "the target doesn't take the toolCallId {id}",
        "invalid_name": "the target doesn't take the tool's name {name}",
    }

    @property
    def rules(self) -> Rules:
        return NO_IDS

    def peek(self, message: Any) -> Peek:
        try:
            parts, role = message["parts"], message["role"]
            if type(parts) is not LIST or role not in _ROLES:
                return DOUBT
            for part in parts:
                kind = part["type"]
                if kind == "text":
                    continue
                tool = kind.startswith("tool-") or kind == "dynamic-tool"
                if tool and not _looks_done(part, kind):
                    return DOUBT
        except (AttributeError, KeyError, TypeError):
            return DOUBT
        return None

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def answer(self, call: Call, answer: Answer) -> Any:
        part = call.raw
        if part["type"] == _V4:
            inside = {**part["toolInvocation"], "state": "result"}
            return {**part, "toolInvocation": {**inside, "result": answer.content}}
        gone = ("output", "errorText", "preliminary")
        kept = {key: value for key, value in part.items() if key not in gone}
        kept.setdefault("input", {})
        if answer.is_error:
            return {**kept, "state": "output-error", "errorText": answer.text}
        return {**kept, "state": "output-available", "output": answer.content}

    def call_again(self, call: Call) -> Any:
        part, name = call.raw, call.new_name or call.name
        if part["type"] == _V4:
            inside = {**part["toolInvocation"], "toolCallId": call.new_id or call.id}
            inside["toolName"] = name
            return {**part, "toolInvocation": inside}
        part = {**part, "toolCallId": call.new_id or call.id}
        if call.empty_error:
            part["errorText"] = f"{one_line(name)} answered with an error and no words."
        if call.new_name is None:
            return part
        if part["type"] == "dynamic-tool":
            return {**part, "toolName": call.new_name}
        return {**part, "type": f"tool-{call.new_name}"}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return {**raw, "parts": list(units)}


FORMAT = _AISDK()


def _looks_done(part: Any, kind: str) -> bool:
    state = part["state"]
    if kind == _V4 or state not in _DONE or type(part["toolCallId"]) is not str:
        return False
    if state == "output-error" and not part.get("errorText"):
        return False
    return type(part.get("toolName", "")) is str


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("ai_sdk_ui", place)
    reader.record(message, "an object with `role` and `parts`")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        reader.stop("`user`, `assistant` or `system` under `role`", role)
    parts = reader.items(message.get("parts"), "a list of parts under `parts`")
    units: list[Unit] = []
    index = 0
    for block, raw in enumerate(parts):
        reader.record(raw, "a part, an object with `type`", block)
        kind = reader.text(raw, "type", block)
        if role == "assistant" and (kind.startswith("tool-") or kind == "dynamic-tool"):
            units.append(_call(reader, block, index, raw, kind))
            index += 1
        else:
            units.append(Other(place, block, raw))
    return turn_of(place, _ROLES[role], message, units)


def _call(reader: Reader, block: int, index: int, raw: Any, kind: str) -> Call:
    inside = raw
    if kind == _V4:
        inside = reader.record(
            raw.get("toolInvocation"), "an object under `toolInvocation`", block
        )
    if kind in (_V4, "dynamic-tool"):
        name = reader.text(inside, "toolName", block)
    else:
        name = kind.removeprefix("tool-")
    state = reader.text(inside, "state", block)
    opens = state in (_OPEN_V4 if kind == _V4 else _OPEN)
    if not opens and state not in (_DONE if kind != _V4 else {"result"}):
        reader.stop(
            "one of the states of a tool part under `state`", state, block=block
        )
    stopped = state in ("input-streaming", "partial-call")
    own = inside.get("errorText") if state == "output-error" else inside.get("result")
    return Call(
        reader.message,
        block,
        index,
        reader.maybe(inside, "toolCallId", block),
        name,
        inside.get("args" if kind == _V4 else "input"),
        raw,
        cut=stopped,
        stopped=stopped,
        settled=not opens,
        own=not opens and is_own(own),
        empty_error=state == "output-error" and not inside.get("errorText"),
    )
