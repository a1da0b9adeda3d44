"""Globs that a model writes: `*` is any run of characters, `?` any one of them.

A pattern is matched in one pass over the text, its places held as the bits of a number,
so no pattern takes longer than another of its length.
"""

import re
from dataclasses import dataclass
from typing import Final, Self, final

STARS: Final = re.compile(r"\*+")


@final
@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern: at which places each character goes on, at which any, where stars."""

    pattern: str
    places: dict[str, int]
    anything: int
    stars: int

    @classmethod
    def of(cls, pattern: str) -> Self:
        """The glob that is written so."""
        places: dict[str, int] = {}
        single = STARS.sub("*", pattern)  # several in a row say no more than one
        for place, character in enumerate(single):
            places[character] = places.get(character, 0) | 1 << place
        stars, anything = places.pop("*", 0), places.pop("?", 0)
        return cls(single, places, anything, stars)

    def matches(self, text: str) -> bool:
        """Whether all of the text is as the pattern has it."""
        at = self._past_stars(1)
        for character in text:
            going = at & (self.places.get(character, 0) | self.anything)
            at = self._past_stars(going << 1 | at & self.stars)
            if not at:
                return False
        return bool(at >> len(self.pattern))

    def _past_stars(self, at: int) -> int:
        return at | (at & self.stars) << 1
