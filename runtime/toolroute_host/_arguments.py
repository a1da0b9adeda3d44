"""Reading a call's arguments, and the words when one isn't what the tool takes.

Every message starts with the tool's name and names the argument in backticks, so that a
model can mend the call from the sentence alone.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeGuard, cast

from toolroute import ToolCall, ToolError
from toolroute._text import one_line

LONGEST_TEXT: Final = 1_000_000
"""Characters of one text argument; a longer one is refused before anything is done."""

HALF: Final = re.compile("[\ud800-\udfff]")

LARGEST_NUMBER: Final = 1e300

A_YEAR: Final = 366 * 24 * 3600
"""Seconds; no deadline is set further ahead."""


def wrong(call: ToolCall, key: str, wanted: str) -> ToolError:
    """The error for an argument that isn't what is wanted."""
    return ToolError(
        f"{one_line(call.name)}: `{one_line(key)}` {wanted}", retry="with-changes"
    )


def required_text(call: ToolCall, key: str, kind: str = "string") -> str:
    """A text that must be there and hold something."""
    value = optional_text(call, key)
    if not value:
        raise wrong(call, key, f"({kind}) is required")
    return value


def optional_text(call: ToolCall, key: str) -> str | None:
    """A text, or `None` where the argument is left out or null."""
    value = call.input.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise wrong(call, key, "must be a string")
    if len(value) > LONGEST_TEXT:
        raise wrong(call, key, f"can hold at most {LONGEST_TEXT:,} characters")
    if HALF.search(value):
        raise wrong(call, key, "holds half a character, which can't be kept")
    return value


def optional_flag(call: ToolCall, key: str) -> bool | None:
    """True, false, or `None` where the argument is left out or null."""
    value = call.input.get(key)
    if value is not None and not isinstance(value, bool):
        raise wrong(call, key, "must be true or false")
    return value


def whole_number(call: ToolCall, key: str, wanted: str, *, of: range) -> int | None:
    """A whole number in `of`, or `None` where the argument is left out or null."""
    value = call.input.get(key)
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value not in of:
        raise wrong(call, key, wanted)
    return value


def seconds(call: ToolCall, key: str = "seconds") -> float:
    """A length of time that is positive and at most a year."""
    value: object = call.input.get(key)
    if not is_positive(value):
        raise wrong(call, key, "must be a positive number")
    if value > A_YEAR:
        raise wrong(call, key, f"can be at most {A_YEAR} (a year)")
    return float(value)


def optional_seconds(call: ToolCall, key: str = "seconds") -> float | None:
    """As `seconds`, or `None` where the argument is left out or null."""
    return None if call.input.get(key) is None else seconds(call, key)


def optional_object(call: ToolCall, key: str) -> Mapping[str, Any] | None:
    """An object, or `None` where the argument is left out or null."""
    value: object = call.input.get(key)
    if value is not None and not isinstance(value, Mapping):
        raise wrong(call, key, "must be an object")
    return cast("Mapping[str, Any] | None", value)


def is_positive(value: object) -> TypeGuard[int | float]:
    """Whether this JSON value is a number above nothing that a float can hold."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 < value <= LARGEST_NUMBER
    )


def one_of(values: Iterable[str]) -> str:
    """The values as a sentence lists them: `"list", "describe", or "run"`."""
    *rest, last = [f'"{value}"' for value in values]
    return f"{', '.join(rest)}, or {last}" if rest else last
