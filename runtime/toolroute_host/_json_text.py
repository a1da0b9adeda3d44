"""JSON that somebody wrote, read strictly: what can't be meant or kept isn't taken."""

import json
import math
from typing import Any, NoReturn

from toolroute._text import one_line

__all__ = ["loads"]


def loads(text: str | bytes) -> object:
    """What the text says; a `ValueError` tells what it isn't."""
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_once_each,
            parse_constant=_constant,
            parse_float=_float,
        )
    except RecursionError:
        raise ValueError("it's nested too deep") from None
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise ValueError(f"the key {one_line(key)!r} is in one object twice")
        read[key] = value
    return read


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} isn't a number of JSON's")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{one_line(digits)} is too large a number")
    return value
