"""The model's arguments, read before anything is decided."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias, cast, final

from toolroute._calls import ToolCall


@final
@dataclass(frozen=True, slots=True)
class RawCall:
    """A call whose arguments are still what the wire carried: text, as a rule.

    They are read as one strict JSON object; empty text isn't one. Of a key that is
    there twice the last value counts, for guards and handlers alike.
    """

    id: str
    name: str
    arguments: Any


AnyCall: TypeAlias = ToolCall | RawCall

Read: TypeAlias = tuple[ToolCall, str | None]
"""The call with its arguments read, and why they couldn't be, or None."""


def read(call: AnyCall) -> Read:
    """Read its arguments, if they aren't yet."""
    id_, name = call.id, call.name
    if not type(id_) is type(name) is str:
        id_, name = as_text(id_), as_text(name)
    elif type(call) is ToolCall and type(call.input) is dict:
        return call, None
    value: Any = call.input if isinstance(call, ToolCall) else call.arguments
    try:
        if isinstance(value, bytes | bytearray):
            value = bytes(value).decode()
        if isinstance(value, str):
            value = _strict.decode(value)
    except (ValueError, RecursionError) as error:
        return ToolCall(id_, name), f"aren't JSON: {_reason(error)}"
    if isinstance(value, Mapping):
        given = cast("Mapping[str, Any]", value)
        return ToolCall(id_, name, given), None
    return ToolCall(id_, name), _other(value)


def as_text(value: object) -> str:
    """An id or a name as text: some wires leave them out, or have null there."""
    if isinstance(value, str):
        return value
    return "" if value is None else str(value)


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} isn't a JSON number")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits} is too large a number")
    return value


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number has {len(digits)} digits") from None


_strict: Final = json.JSONDecoder(
    parse_constant=_constant, parse_float=_float, parse_int=_int
)

_NAMES: Final[tuple[tuple[type, str], ...]] = (
    (str, "text"),
    (bool, "a truth value"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (type(None), "null"),
)
_ELSE: Final = "something else"


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            words = error.msg.removesuffix(" at").removesuffix(" starting")
            words = words.replace("Invalid", "unexpected")
            place = f"line {error.lineno}, column {error.colno}"
            return f"{words[0].lower()}{words[1:]}, at {place}"
        case RecursionError():
            return "they are nested too deeply"
        case UnicodeDecodeError():
            return f"byte {error.start} isn't UTF-8"
        case _:
            return str(error)


def _other(value: object) -> str:
    kind = next((name for type_, name in _NAMES if isinstance(value, type_)), _ELSE)
    return f"are {kind}, not a JSON object"
