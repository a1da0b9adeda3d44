"""Fields that several formats read, and write again, alike but for their keys."""

from collections.abc import Mapping
from typing import Any, Final

from toolroute._text import one_line
from toolroute.transcript._model import Call, Result, Role
from toolroute.transcript._wire import Reader

ROLES: Final[Mapping[str, Role]] = {
    "user": "user",
    "assistant": "model",
    "system": "aside",
}


def role_in(reader: Reader, message: Any, expected: str) -> Any:
    """The role, one of `ROLES`, or NotATranscript."""
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        reader.stop(expected, role)
    return role


def call_fields(
    fields: Mapping[str, Any], call: Call, *, call_id: str, name: str, given: str
) -> dict[str, Any]:
    """A call's fields with its new id and name, and whole; the keys are named."""
    new = {**fields, call_id: call.new_id or call.id}
    if call.new_name is not None:
        new[name] = call.new_name
    if call.partial:
        new[given] = {}
    return new


def with_call_id(fields: Any, key: str, result: Result, call: Call) -> Any:
    """A result's fields with its call's id, or the very same object."""
    call_id = call.new_id or call.id
    return fields if result.id == call_id else {**fields, key: call_id}


def no_words(name: str) -> str:
    """What an error says that came without a word."""
    return f"{one_line(name)} answered with an error and no words."
