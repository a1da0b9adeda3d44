"""Gemini generateContent: a content of responses right behind a content of calls.

Ids are optional; without them the order per name pairs. Keys are accepted as the REST
interface writes them (`functionCall`) and as the SDKs do (`function_call`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import DICT, LIST, is_list, is_record
from toolroute.transcript._model import Call, Other, Result, Role, Turn, Unit
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
from toolroute.transcript.formats._gemini_turns import settle_turns

_ROLES: Final[Mapping[Any, Role]] = {
    None: "user",
    "user": "user",
    "model": "model",
    "function": "user",
    "tool": "user",
}
_CALLS: Final = ("functionCall", "function_call")
_RESPONSES: Final = ("functionResponse", "function_response")
_OTHERS: Final = {*_CALLS, *_RESPONSES}
_FILES: Final = {"inlineData", "inline_data", "fileData", "file_data"}


@final
class _Gemini(Wire):
    name = "gemini"
    layout = "blocks"
    named = True
    neighbours = True
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "Please ensure that the number of function response parts is equal to the "
            "number of function call parts of the function call turn."
        ),
        "misplaced_result": (
            "Please ensure that function response turn comes immediately after a "
            "function call turn."
        ),
        "orphan_result": (
            "Please ensure that function response turn comes immediately after a "
            "function call turn."
        ),
        "duplicate_result": (
            "Please ensure that the number of function response parts is equal to the "
            "number of function call parts of the function call turn."
        ),
        "missing_call_id": "the response must carry the id of its function call",
        "missing_result_name": (
            "GenerateContentRequest.contents: function_response.name: Name cannot be "
            "empty, and is that of the call"
        ),
        "invalid_result_content": "function_response.response must be an object",
        "partial_call": "function_call.args must be an object",
        "call_turn_without_user_before": (
            "Please ensure that function call turn comes immediately after a user turn "
            "or after a function response turn."
        ),
        "role_order": "Please use a valid role: user, model.",
        "invalid_name": (
            "Invalid function name. Must start with a letter or an underscore, and be "
            "a-z, A-Z, 0-9, underscores, dots, colons or dashes, at most 64 long."
        ),
    }

    def peek(self, message: Any) -> Peek:
        try:
            parts, role = message["parts"], message["role"]
            if type(parts) is not LIST:
                return DOUBT
            if role == "model":
                return _peek(parts, "functionCall", "args")
            if role == "user":
                found = _peek(parts, "functionResponse", "response")
                return tuple(found) if found else found
        except (KeyError, TypeError):
            return DOUBT
        return DOUBT

    def good_neighbours(self, messages: Sequence[Any], before: Any) -> bool:
        last = "model" if before is None else before["role"]
        for message in messages:
            role = message["role"]
            follows = role == last == "model"
            if follows and any(map(_has_call, message["parts"])):
                return False
            last = role
        return True

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        return [_turn(place, message) for place, message in enumerate(messages)]

    def takes_answers(self, turn: Turn) -> bool:
        return turn.role == "user" and any(r.fate == "kept" for r in turn.results)

    def answer(self, call: Call, answer: Answer) -> Any:
        content = answer.content
        if not is_record(content) or (answer.is_error and "error" not in content):
            content = {"error" if answer.is_error else "output": content}
        inside: dict[str, Any] = {"name": call.new_name or call.name}
        call_id = call.new_id or call.id
        if call_id is not None:
            inside = {"id": call_id, **inside}
        key = _RESPONSES[_CALLS.index(_key(call.raw, _CALLS) or _CALLS[0])]
        return {key: {**inside, "response": content}}

    def call_again(self, call: Call) -> Any:
        key = _key(call.raw, _CALLS) or _CALLS[0]
        inside = {**call.raw[key]}
        if call.new_id is not None:
            inside["id"] = call.new_id
        if call.new_name is not None:
            inside["name"] = call.new_name
        if call.partial:
            inside["args"] = {}
        return {**call.raw, key: inside}

    def result_again(self, result: Result, call: Call) -> Any:
        key = _key(result.raw, _RESPONSES) or _RESPONSES[0]
        inside = result.raw[key]
        call_id = call.new_id or call.id
        if call_id and result.id != call_id:
            inside = {**inside, "id": call_id}
        name = call.new_name or call.name
        if result.name != name:
            inside = {**inside, "name": name}
        if result.unfit:
            given = inside.get("response")
            inside = {**inside, "response": {} if given is None else {"output": given}}
        if inside is result.raw[key]:
            return result.raw
        return {**result.raw, key: inside}

    def plain(self, result: Result) -> list[Any]:
        inside = result.raw[_key(result.raw, _RESPONSES) or _RESPONSES[0]]
        response = inside.get("response")
        if is_record(response) and len(response) == 1:
            response = response.get("output", response.get("result", response))
        parts = [{"text": orphan_text(result.name, as_text(response))}]
        files = inside.get("parts")
        if is_list(files):
            parts += [f for f in files if is_record(f) and _FILES & f.keys()]
        return parts

    def note(self, text: str) -> Any:
        return {"text": text}

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        return {**(raw or {"role": "user"}), "parts": list(units)}

    def finish(self, work: Work) -> None:
        settle_turns(work)


FORMAT = _Gemini()


def _peek(parts: list[Any], key: str, object_key: str) -> Peek:
    """What pairs calls with responses: the names, with the ids where there are some."""
    found: list[str] = []
    for part in parts:
        if "text" in part and len(part) == 1:
            continue
        if key in part:
            inside = part[key]
            name, call_id = inside["name"], inside.get("id", "")
            if type(name) is not str or type(inside[object_key]) is not DICT:
                return DOUBT
            if type(call_id) is not str:
                return DOUBT
            found.append(f"{name}\0{call_id}" if call_id else name)
        elif type(part) is not DICT or not _OTHERS.isdisjoint(part):
            return DOUBT
    return found or None


def _has_call(part: Any) -> bool:
    return _key(part, _CALLS) is not None


def _key(part: Any, keys: tuple[str, str]) -> str | None:
    return next((key for key in keys if part.get(key) is not None), None)


def _turn(place: int, message: Any) -> Turn:
    reader = Reader("gemini", place, "content")
    reader.record(message, "an object with `role` and `parts`")
    role = message.get("role")
    if (role is not None and not isinstance(role, str)) or role not in _ROLES:
        reader.stop("`user` or `model` under `role`", role)
    parts = reader.items(message.get("parts"), "a list of parts under `parts`")
    units: list[Unit] = []
    index = 0
    for block, raw in enumerate(parts):
        reader.record(raw, "a part, an object", block)
        call_key, response_key = _key(raw, _CALLS), _key(raw, _RESPONSES)
        if call_key is not None:
            if role != "model":
                reader.stop("no call in a user's content", raw, block=block)
            units.append(_call(reader, block, index, raw, call_key))
            index += 1
        elif response_key is not None:
            units.append(_result(reader, block, raw, response_key))
        else:
            units.append(Other(place, block, raw))
    return turn_of(place, _ROLES[role], message, units)


def _call(reader: Reader, block: int, index: int, raw: Any, key: str) -> Call:
    inside = reader.record(raw[key], f"an object under `{key}`", block)
    args = inside.get("args")
    return Call(
        reader.message,
        block,
        index,
        reader.maybe(inside, "id", block) or None,
        reader.text(inside, "name", block),
        args,
        raw,
        partial=args is not None and not is_record(args),
    )


def _result(reader: Reader, block: int, raw: Any, key: str) -> Result:
    inside = reader.record(raw[key], f"an object under `{key}`", block)
    return Result(
        reader.message,
        block,
        reader.maybe(inside, "id", block) or None,
        reader.maybe(inside, "name", block),
        raw,
        own=is_own(inside.get("response")),
        unfit=not is_record(inside.get("response")),
    )
