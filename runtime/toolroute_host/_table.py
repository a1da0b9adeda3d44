"""A table that fits the terminal it's printed on.

Cells are one line each and cut with `…`; what isn't printable comes escaped already.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

GAP: Final = "  "
NARROWEST: Final = 8


def lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> Iterator[list[str]]:
    """The head and the rows, their cells cut and padded to stand in columns."""
    widths = _widths([head, *rows], width)
    for row in (head, *rows):
        yield [
            _fitted(cell, columns) for cell, columns in zip(row, widths, strict=True)
        ]


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _widths(rows: Iterable[Sequence[str]], width: int) -> list[int]:
    """As wide as the widest cell; what is too much, the widest column loses."""
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    room = width - len(GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _fitted(text: str, columns: int) -> str:
    if columns_of(text) > columns:
        text = _cut(text, columns - 1) + "…"
    return text + " " * (columns - columns_of(text))


def _cut(text: str, columns: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            return text[:place]
    return text
