"""What the rules look at: calls and results, each with its place."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

Message = dict[str, Any]


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A call, or a result: the message it stands in, its pairing key, its JSON."""

    at: int
    key: Any
    value: Any


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list of blocks; none where the value is text or null."""
    if not isinstance(value, list):
        return []
    return [block for block in value if isinstance(block, dict)]


def twice(keys: Iterable[Any]) -> list[Any]:
    return [key for key, count in Counter(keys).items() if count > 1]
