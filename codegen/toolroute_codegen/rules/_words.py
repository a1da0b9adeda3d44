"""Pieces of the sentences that findings are made of."""

import difflib
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Final

from toolroute._text import one_line

LONGEST: Final = 80
"""Characters of a word of the table's that a sentence shows."""

MOST_COMPARED: Final = 2_000
"""Names among which a near one is looked for: it takes time for each."""


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
    return _nearest(word[:LONGEST], tuple(islice(words, MOST_COMPARED)))


@lru_cache(maxsize=1024)
def _nearest(word: str, words: tuple[str, ...]) -> str | None:
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return near[0] if near else None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A sentence with the nearest of `words` and a space behind it; else nothing."""
    near = nearest(word, words)
    return "" if near is None else f"Did you mean {quoted(near)}? "
