"""Vercel AI SDK messages: a call is a part, and its result is that part's state.

Parts of version 4 (`tool-invocation`) are read too.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST, is_record
from toolroute.transcript._model import Call, Other, Turn, Unit
from toolroute.transcript._rules import ONE_PART, Rules
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
from toolroute.transcript.formats._fields import ROLES, no_words, role_in

_OPEN: Final = {"input-streaming", "input-available", "approval-requested"}
_RESPONDED: Final = "approval-responded"
_DONE: Final = {"output-available", "output-error", "output-denied"}
_OPEN_V4: Final = {"partial-call", "call"}
_DONE_V4: Final = {"result"}
_STOPPED: Final = {"input-streaming", "partial-call"}
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
        return ONE_PART

    def peek(self, message: Any) -> Peek:
        try:
            parts, role = message["parts"], message["role"]
            if type(parts) is not LIST or role not in ROLES:
                return DOUBT
            ids: tuple[str, ...] = ()
            for part in parts:
                kind = part["type"]
                if kind == "text":
                    continue
                if kind.startswith("tool-") or kind == "dynamic-tool":
                    if not _looks_done(part, kind) or part["toolCallId"] in ids:
                        return DOUBT
                    ids += (part["toolCallId"],)
        except (AttributeError, KeyError, TypeError):
            return DOUBT
        return None

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        last = len(messages) - 1
        return [_turn(n, message, last=n == last) for n, message in enumerate(messages)]

    def unfinished(self, messages: Sequence[Any]) -> bool:
        """An approval that was given is the next step's, unless the user goes on."""
        parts: Any = messages[-1]["parts"] if messages else ()
        return any(part.get("state") == _RESPONDED for part in parts)

    def answer(self, call: Call, answer: Answer) -> Any:
        part = call.raw
        if part["type"] == _V4:
            inside = {**part["toolInvocation"], "state": "result"}
            return {**part, "toolInvocation": {**inside, "result": answer.content}}
        gone = ("output", "errorText", "preliminary")
        kept = {key: value for key, value in part.items() if key not in gone}
        kept.setdefault("input", {})
        if call.denied and is_own(answer.content):
            return {**kept, "state": "output-denied"}
        if not _granted(part):
            kept.pop("approval", None)
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
            part["errorText"] = no_words(name)
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


def _denied(part: Any) -> bool:
    approval = part.get("approval")
    return is_record(approval) and approval.get("approved") is False


def _granted(part: Any) -> bool:
    """Whether its approval was given: the only one that a part with a result has."""
    approval = part.get("approval")
    return is_record(approval) and approval.get("approved") is True


def _turn(place: int, message: Any, *, last: bool) -> Turn:
    reader = Reader("ai_sdk_ui", place)
    reader.record(message, "an object with `role` and `parts`")
    role = role_in(reader, message, "`user`, `assistant` or `system` under `role`")
    parts = reader.items(message.get("parts"), "a list of parts under `parts`")
    units: list[Unit] = []
    live = _last_step(parts) if last else len(parts)
    index = 0
    for block, raw in enumerate(parts):
        reader.record(raw, "a part, an object with `type`", block)
        kind = reader.text(raw, "type", block)
        if role == "assistant" and (kind.startswith("tool-") or kind == "dynamic-tool"):
            call = _call(reader, block, index, raw, kind, live=block >= live)
            units.append(call)
            index += 1
        else:
            units.append(Other(place, block, raw))
    return turn_of(place, ROLES[role], message, units)


def _last_step(parts: Sequence[Any]) -> int:
    """Where the last step starts that holds something."""
    kinds = [part.get("type") if is_record(part) else None for part in parts]
    while kinds and kinds[-1] == "step-start":
        kinds.pop()
    starts = [block for block, kind in enumerate(kinds) if kind == "step-start"]
    return starts[-1] if starts else 0


def _call(  # noqa: PLR0913
    reader: Reader, block: int, index: int, raw: Any, kind: str, *, live: bool
) -> Call:
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
    responded = kind != _V4 and state == _RESPONDED
    if responded:
        opens = not live and raw.get("providerExecuted") is not True
    else:
        opens = _is_open(reader, block, kind, state)
    return Call(
        reader.message,
        block,
        index,
        reader.maybe(inside, "toolCallId", block),
        name,
        inside.get("args" if kind == _V4 else "input"),
        raw,
        cut=state in _STOPPED,
        stopped=state in _STOPPED,
        settled=not opens,
        own=not opens and is_own(_output(inside, state)),
        empty_error=state == "output-error" and not inside.get("errorText"),
        denied=responded and opens and _denied(raw),
    )


def _is_open(reader: Reader, block: int, kind: str, state: str) -> bool:
    """Whether a part in this state lacks its result."""
    opens, done = (_OPEN_V4, _DONE_V4) if kind == _V4 else (_OPEN, _DONE)
    if state not in opens and state not in done:
        reader.stop(
            "one of the states of a tool part under `state`", state, block=block
        )
    return state in opens


def _output(inside: Any, state: str) -> Any:
    """What settling may have written: the error, or version 4's result."""
    return inside.get("errorText" if state == "output-error" else "result")
