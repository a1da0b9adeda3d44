"""Strict JSON with places: what stands where, and in a sentence what doesn't."""

import json
import re
from json.decoder import JSONDecodeError
from typing import Any, Final, final

from toolroute._text import one_line

_EXPECTED: Final = {
    "Expecting value": "a value is expected here",
    "Expecting property name enclosed in double quotes": (
        "a key in double quotes is expected here"
    ),
    "Expecting ':' delimiter": "a colon is expected here",
    "Expecting ',' delimiter": "a comma or a closing bracket is expected here",
    "Invalid control character at": "a text holds a line end or a control character",
    "Invalid \\escape": "a backslash is followed by something that isn't an escape",
    "Invalid \\uXXXX escape": "`\\u` isn't followed by four hexadecimal digits",
    "Extra data": "something stands behind the end of the JSON",
}
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_TOKENS: Final = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|[{}\[\]]')
_CONSTANTS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


@final
class Misread(Exception):  # noqa: N818
    """Why a text isn't JSON, and at which character of it."""

    def __init__(self, sentence: str, at: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.at = at


@final
class _TwiceError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def parse(text: str, at: int = 0) -> tuple[Any, int]:
    """The value that starts at `at`, and where it ends. Raises `Misread`."""
    start = after_space(text, at)
    try:
        return _DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        raise _misread(text, error) from None
    except _TwiceError as twice:
        sentence = f"the key `{one_line(twice.key, 60)}` stands twice in one object"
        raise Misread(sentence, _second_key_at(text, start)) from None
    except RecursionError:
        raise Misread("the JSON is nested too deep to be a transcript", start) from None
    except ValueError as error:
        raise Misread(str(error), _constant_at(text, start)) from None


def elements(text: str, at: int) -> list[tuple[Any, int, int]]:
    """The elements of the array at `at`, which `parse` has read, with their ends."""
    found: list[tuple[Any, int, int]] = []
    here = after_space(text, at + 1)
    while text[here] != "]":
        value, end = _QUICK.raw_decode(text, here)
        found.append((value, here, end))
        here = after_space(text, end)
        if text[here] == ",":
            here = after_space(text, here + 1)
    return found


def member(text: str, at: int, key: str) -> tuple[int, int]:
    """Where the value of `key` stands, in the object at `at` that `parse` has read."""
    here = after_space(text, at + 1)
    while True:
        found, end = _QUICK.raw_decode(text, here)
        start = after_space(text, after_space(text, end) + 1)
        _, end = _QUICK.raw_decode(text, start)
        if found == key:
            return start, end
        here = after_space(text, after_space(text, end) + 1)


def after_space(text: str, at: int) -> int:
    """The first place from `at` on that isn't JSON's white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _misread(text: str, error: JSONDecodeError) -> Misread:
    if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()):
        sentence = "the text ends in the middle of the JSON: it seems to be cut off"
        return Misread(sentence, len(text.rstrip()))
    default = error.msg[:1].lower() + error.msg[1:]
    return Misread(_EXPECTED.get(error.msg, default), error.pos)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceError(key)
            seen.add(key)
    return value


def _constant(name: str) -> Any:
    raise ValueError(f"`{name}` isn't a JSON value")


def _number(digits: str) -> float:
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        raise ValueError("a number is too large to be written back as it was")
    return value


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number has {len(digits)} digits") from None


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_once,
    parse_constant=_constant,
    parse_float=_number,
    parse_int=_integer,
)

_QUICK: Final = json.JSONDecoder()
"""For places in a text that `parse` has read already: several times as fast."""


def _constant_at(text: str, start: int) -> int:
    """Where the first constant or number stands that isn't taken."""
    for match in _CONSTANTS.finditer(text, start):
        if match.group(1):
            return match.start()
    return start


def _second_key_at(text: str, start: int) -> int:
    """Where the first key stands that its object has already."""
    opened: list[set[str]] = []
    for token in _TOKENS.finditer(text, start):
        key, colon = token.groups()
        if token.group() in "{[":
            opened.append(set())
        elif token.group() in "}]":
            opened.pop()
        elif colon:
            name = json.loads(key)
            if name in opened[-1]:
                return token.start()
            opened[-1].add(name)
    return start
