"""A refusal's text, taken apart: what stands as it is, and what is put in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

_PIECE: Final = re.compile(
    r"(?P<braces>\{\{|\}\})|\{(?P<name>[^{}]*)\}|(?P<stray>[{}])|(?P<plain>[^{}]+)"
)


@final
@dataclass(frozen=True, slots=True)
class Placeholder:
    """`{name}` in a text; `start` is where its brace stands, in characters from 0."""

    name: str
    start: int


@final
@dataclass(frozen=True, slots=True)
class StrayBrace:
    """A brace that neither opens a placeholder nor is doubled."""

    brace: str
    start: int


def pieces(text: str) -> Iterator[str | Placeholder | StrayBrace]:
    """`text` from left to right; `{{` and `}}` are given as the one brace they mean."""
    for found in _PIECE.finditer(text):
        match found.lastgroup:
            case "braces":
                yield found[0][0]
            case "name":
                yield Placeholder(found["name"], found.start())
            case "stray":
                yield StrayBrace(found[0], found.start())
            case _:
                yield found[0]


def placeholders(text: str) -> tuple[str, ...]:
    """The placeholders of `text`, each once, in the order they stand."""
    named = (piece.name for piece in pieces(text) if isinstance(piece, Placeholder))
    return tuple(dict.fromkeys(named))
