"""What a stage found in a table: one type, whichever stage found it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one line of the source. Lines, columns count characters from 1.

    `width` is at least 1; it says how far the carets go.
    """

    line: int
    column: int
    width: int = 1


@final
@dataclass(frozen=True, slots=True)
class Note:
    """A further sentence of a diagnostic, with the place that it speaks of, if any."""

    text: str
    place: Place | None = None


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One broken rule.

    `code` is `TR` and three digits; `headline` says what is seen, without a full stop;
    `next_step` is the one thing to do now, as a sentence.
    """

    place: Place
    code: str
    headline: str
    next_step: str
    notes: tuple[Note, ...] = ()


@final
class Rejected(Exception):  # noqa: N818 - a table is rejected; that isn't an error of ours
    """The table breaks these rules: each once, by place, at least one."""

    def __init__(self, filename: str, source: str, found: Sequence[Diagnostic]) -> None:
        super().__init__(f"{filename}: {len(found)} findings")
        self.filename = filename
        self.source = source
        once = dict.fromkeys(found)
        self.found = tuple(sorted(once, key=lambda d: (d.place, d.code, d.headline)))
