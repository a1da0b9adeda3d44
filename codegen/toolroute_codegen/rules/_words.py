"""Pieces of the sentences that findings are made of."""

import difflib
from collections.abc import Iterable
from functools import lru_cache
from heapq import nlargest
from itertools import islice, takewhile
from typing import Final

from toolroute._text import one_line

LONGEST: Final = 80
"""Characters of a word of the table's that a sentence shows."""

MOST_LOOKED_AT: Final = 2_000
"""Names among which a near one is looked for."""

MOST_COMPARED: Final = 100
"""Of these, as many as begin and end most like it are compared: that takes time."""


def quoted(word: str) -> str:
    """A word of the table's, on one line, in backquotes."""
    return f"`{one_line(word, LONGEST)}`" if word else '`""`'


def all_quoted(words: Iterable[str], most: int = 3) -> str:
    """Words in backquotes with commas between; after `most`, how many more."""
    whole = list(words)
    shown = [quoted(word) for word in whole[:most]]
    more = len(whole) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `word` was probably meant to be."""
    return _nearest(word[:LONGEST], tuple(islice(words, MOST_LOOKED_AT)))


@lru_cache(maxsize=1024)
def _nearest(word: str, words: tuple[str, ...]) -> str | None:
    if len(words) > MOST_COMPARED:
        alike = nlargest(
            MOST_COMPARED, words, key=lambda each: _ends_shared(word, each)
        )
        words = tuple(alike)
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return near[0] if near else None


def _ends_shared(one: str, other: str) -> int:
    """How many characters two words have in common at their two ends."""
    forth, back = (
        zip(one, other, strict=False),
        zip(one[::-1], other[::-1], strict=False),
    )
    return sum(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for pairs in (forth, back)
    )


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A sentence with the nearest of `words` and a space behind it; else nothing."""
    return meant(nearest(word, words))


def meant(near: str | None) -> str:
    """The same of a word that was found to be near, if one was."""
    return "" if near is None else f"Did you mean {quoted(near)}? "
