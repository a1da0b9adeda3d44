"""OpenAI Responses: calls and outputs are items, paired by `call_id` and by type.

OpenAI takes an output anywhere behind its call; compatible servers want a batch's
calls first, and then their outputs, which is the default. `openai_responses:openai` is
looser.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Call, Result, Role, Turn
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
from toolroute.transcript.formats._responses_answers import answer_item
from toolroute.transcript.formats._responses_items import (
    ANSWERS,
    CALLS,
    SERVER_ITEMS,
    by_item_id,
    is_server,
    same,
    settle_items,
)

_PEEKED: Final[dict[Any, Peek]] = {
    "user": None,
    "system": None,
    "developer": None,
    "assistant": [],
}
_TEXTUAL: Final = {"function_call", "custom_tool_call"}


@final
class _Responses(Wire):
    name = "openai_responses"
    layout = "messages"
    spans = True
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": "No tool output found for function call {id}.",
        "misplaced_result": (
            "No tool output found for function call {id}. (OpenAI itself takes it)"
        ),
        "orphan_result": (
            "No tool call found for function call output with call_id {id}."
        ),
        "duplicate_result": "Duplicate call_ids submitted: {id}",
        "duplicate_call_id": "Duplicate item found with id {id}.",
        "missing_call_id": (
            "Missing required parameter: call_id. A function call output without a "
            "call_id requires a name, and compatible servers take none."
        ),
        "empty_call_id": "Invalid 'call_id': empty string.",
        "invalid_call_id": (
            "Invalid 'call_id': string too long. Expected a string with maximum length "
            "64"
        ),
        "invalid_result_content": (
            "Invalid type for 'output': expected a string or an array of content parts"
        ),
        "partial_call": "No tool output found for function call {id}.",
        "orphan_reasoning": (
            "Item '{id}' of type 'reasoning' was provided without its required "
            "following item."
        ),
        "invalid_name": (
            "Invalid 'name': string does not match pattern '^[a-zA-Z0-9_-]+$'."
        ),
    }

    def peek(self, message: Any) -> Peek:
        try:
            kind = message["type"]
            if kind == "function_call":
                call_id = message["call_id"]
                good = type(call_id) is str and type(message["name"]) is str
                return [call_id] if good else DOUBT
            if kind == "function_call_output":
                call_id = message["call_id"]
                good = type(call_id) is str and type(message.get("name", "")) is str
                taken = type(message["output"]) in (str, list)
                return call_id if good and taken else DOUBT
            if kind == "message" and type(message["content"]) in (list, str):
                return _PEEKED[message["role"]]
            return () if kind == "reasoning" else DOUBT  # noqa: TRY300
        except (KeyError, TypeError):
            return DOUBT

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        seen: dict[str, Any] = {}
        turns = [_turn(place, item, seen) for place, item in enumerate(messages)]
        by_item_id(turns)
        return turns

    def holds(self, turns: Sequence[Turn]) -> bool:
        return any(_type(turn.raw) == "item_reference" for turn in turns)

    def answer(self, call: Call, answer: Answer) -> Any:
        return answer_item(call, answer)

    def needs_answer(self, call: Call) -> bool:
        return call.family == "computer_call"

    def call_again(self, call: Call) -> Any:
        raw = {**call.raw, CALLS[call.family]: call.new_id or call.id}
        if call.new_name is not None:
            raw["name"] = call.new_name
        return raw

    def result_again(self, result: Result, call: Call) -> Any:
        raw = result.raw
        family = ANSWERS[raw["type"]][0]
        if family != call.family:
            if {family, call.family} == _TEXTUAL:
                raw = {**raw, "type": f"{call.family}_output"}
            else:
                content = raw.get("output")
                return answer_item(call, Answer(content, is_error=False)) or raw
        call_id = call.new_id or call.id
        if result.id != call_id or result.given_id is not None:
            raw = {**raw, ANSWERS[raw["type"]][1]: call_id}
        if result.unfit:
            output = raw.get("output")
            raw = {**raw, "output": "" if output is None else as_text(output)}
        return raw

    def plain(self, result: Result) -> list[Any]:
        raw = result.raw
        output = raw.get("output", raw.get("reason", _said(raw)))
        name = raw.get("name") if isinstance(raw.get("name"), str) else None
        message = self.note(orphan_text(name, ""))
        if not is_list(output):
            return [self.note(orphan_text(name, as_text(output or "")))]
        message["content"] += map(_input_part, output)
        return [message]

    def note(self, text: str) -> Any:
        content = [{"type": "input_text", "text": text}]
        return {"type": "message", "role": "user", "content": content}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return units[0] if units else raw

    def finish(self, work: Work) -> None:
        settle_items(work)


FORMAT = _Responses()


def _said(item: Any) -> str:
    """What an approval without a reason comes to."""
    approved = item.get("approve")
    return {True: "approved", False: "not approved"}.get(approved, "")


def _input_part(part: Any) -> Any:
    kind = part.get("type") if is_record(part) else None
    if isinstance(kind, str) and kind.startswith("input_"):
        return part
    return {"type": "input_text", "text": as_text(part)}


def _type(item: Any) -> Any:
    kind = item.get("type")
    if kind is None:
        return "message" if "role" in item else "item_reference"
    return kind


def _turn(  # noqa: PLR0911  (one line a kind of item)
    place: int, item: Any, seen: dict[str, Any]
) -> Turn:
    reader = Reader("openai_responses", place, "item")
    reader.record(item, "an object with `type`")
    kind = _type(item)
    if not isinstance(kind, str):
        reader.stop("text under `type`", kind)
    item_id = reader.maybe(item, "id")
    own_id = None if kind == "item_reference" else item_id
    if own_id is not None and same(seen.setdefault(own_id, item), item):
        return Turn(place, "copy", item)
    if kind == "message":
        return Turn(place, _message_role(reader, item), item)
    if kind == "reasoning":
        return Turn(place, "thought", item)
    if kind in SERVER_ITEMS or is_server(item):
        return Turn(place, "server", item)
    if kind in CALLS:
        return turn_of(place, "model", item, [_call(reader, item)])
    if kind in ANSWERS:
        return turn_of(place, "result", item, [_result(reader, item)])
    return Turn(place, "model" if kind == "item_reference" else "aside", item)


def _message_role(reader: Reader, item: Any) -> Role:
    role = item.get("role")
    content = item.get("content")
    if content is not None and not isinstance(content, (str, list)):
        reader.stop("text or a list of parts under `content`", content)
    if role == "user":
        return "user"
    if role == "assistant":
        return "model"
    if role not in ("system", "developer"):
        reader.stop("user, assistant, system or developer under `role`", role)
    return "aside"


def _call(reader: Reader, item: Any) -> Call:
    kind = item["type"]
    named = kind in ("function_call", "custom_tool_call", "mcp_approval_request")
    name = reader.text(item, "name") if named else kind.removesuffix("_call")
    given = item.get("arguments", item.get("input", item.get("action")))
    cut = kind == "function_call" and not_json(given)
    stopped = cut and item.get("status") in ("incomplete", "in_progress")
    call_id = reader.maybe(item, CALLS[kind])
    return Call(
        reader.message,
        None,
        0,
        call_id,
        name,
        given,
        item,
        family=kind,
        cut=cut,
        stopped=stopped,
    )


def _result(reader: Reader, item: Any) -> Result:
    family, key = ANSWERS[item["type"]]
    call_id = reader.maybe(item, "call_id")
    if call_id is None:
        call_id = reader.maybe(item, key)
    return Result(
        reader.message,
        None,
        call_id,
        reader.maybe(item, "name"),
        item,
        family=family,
        own=is_own(item.get("output")),
        unfit=family in _TEXTUAL and not isinstance(item.get("output"), (str, list)),
    )
