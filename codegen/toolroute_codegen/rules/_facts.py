"""What several rules want to know of a table, found out once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias, final

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.reach import Reach, Undecided
from toolroute_codegen.rules._words import nearest
from toolroute_codegen.table import Path, Route, Table, Written

MOST_NEAR: Final = 200
"""Words of a table for which a near one is looked for: that takes time."""

Section: TypeAlias = Literal[
    "callers", "capabilities", "lookups", "guards", "unwraps", "refusals"
]

Mention: TypeAlias = tuple[Section, str, Path]
"""A name that stands where something of this section is meant, and where."""


@final
@dataclass(frozen=True, slots=True)
class Mentions:
    """Which names are used, and which are used without being declared."""

    used: dict[Section, set[str]]
    unknown: dict[Section, list[tuple[str, Path]]]


@final
class Facts:
    """A table, and what follows from it."""

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.written: Final[Written] = table.written
        self.place: Final = table.place
        self.place_of_key: Final = table.place_of_key
        self._as_read: Final[dict[Path, tuple[Place, int | None]]] = {}
        self._blocks: Final[dict[tuple[Path, str], dict[int, Place]]] = {}
        self._near: Final[dict[tuple[str, str], str | None]] = {}

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes in their order."""
        return self.written.routes

    def near(self, word: str, where: str, words: Iterable[str]) -> str | None:
        """The nearest of `words`, those of `where`, for the first words that ask."""
        key = (word, where)
        if key not in self._near and len(self._near) < MOST_NEAR:
            self._near[key] = nearest(word, words)
        return self._near.get(key)

    def place_within(self, path: Path, text: str, start: int, length: int) -> Place:
        """A stretch of `text`, which is the value at `path`.

        Where it isn't written as it reads (escapes, lines in quotes), it's the whole.
        """
        if path not in self._as_read:
            self._as_read[path] = self._begins(path, text)
        whole, begins = self._as_read[path]
        if begins is None:
            piece = text[start : start + length]
            if (path, piece) not in self._blocks:
                self._blocks[path, piece] = self._in_block(path, text, piece)
            return self._blocks[path, piece].get(start, whole)
        return Place(whole.line, begins + start, max(length, 1))

    def _in_block(self, path: Path, text: str, piece: str) -> dict[int, Place]:
        """Where `piece` stands in a text behind `|` or `>`, which has no escapes.

        By where it begins in `text`. Nothing of a piece that may go over two lines.
        """
        whole = self.place(path)
        mark = self._lines[whole.line - 1][whole.column - 1 : whole.column]
        if mark not in ("|", ">") or piece.split() != [piece]:
            return {}
        find = re.compile(re.escape(piece)).finditer
        places = (
            Place(number, found.start() + 1, len(piece))
            for number, line in enumerate(self._lines[whole.line :], whole.line + 1)
            for found in find(line)
        )
        starts = (found.start() for found in find(text))
        return dict(zip(starts, places, strict=False))

    def _begins(self, path: Path, text: str) -> tuple[Place, int | None]:
        """The place of a text, and the column where it begins, if it's as it reads."""
        whole = self.place(path)
        line = self._lines[whole.line - 1]
        quote = 1 if line[whole.column - 1 : whole.column] in ("'", '"') else 0
        begins = whole.column + quote
        return whole, begins if line.startswith(text, begins - 1) else None

    @cached_property
    def _lines(self) -> list[str]:
        return self.table.source.split("\n")

    @cached_property
    def reach(self) -> Reach:
        """Which calls get to which route."""
        return Reach(self.routes)

    @cached_property
    def unreachable(self) -> frozenset[int]:
        """The positions of the routes that no call gets to, so far as it is decided."""
        return frozenset(at for at in range(len(self.routes)) if self._is_covered(at))

    def _is_covered(self, at: int) -> bool:
        if self.reach.shapes[at] is None:
            return False
        try:
            return self.reach.untaken(at, self.reach.least(at)) is None
        except Undecided:
            return False

    @cached_property
    def kinds(self) -> dict[str, int]:
        """Each kind, and the position of its first route."""
        first: dict[str, int] = {}
        for at, route in enumerate(self.routes):
            first.setdefault(route.kind, at)
        return first

    @cached_property
    def mentions(self) -> Mentions:
        """Every use of what the table declares."""
        declared: dict[Section, Iterable[str]] = {
            "callers": self.written.callers,
            "capabilities": self.written.capabilities,
            "lookups": self.written.lookups,
            "guards": self.written.guards,
            "unwraps": self.written.unwraps,
            "refusals": self.written.refusals,
        }
        mentions = Mentions(
            {section: set() for section in declared},
            {section: [] for section in declared},
        )
        for section, name, path in self._mentioned():
            if name in declared[section]:
                mentions.used[section].add(name)
            else:
                mentions.unknown[section].append((name, path))
        return mentions

    def _mentioned(self) -> Iterator[Mention]:
        written = self.written
        for name, lookup in written.lookups.items():
            yield from _each("refusals", lookup.refuses, ("lookups", name, "refuses"))
        for name, guard in written.guards.items():
            yield from _each("refusals", guard.refuses, ("guards", name, "refuses"))
        if written.guard is not None:
            yield "guards", written.guard, ("guard",)
        for at, route in enumerate(written.routes):
            yield from _in_route(route, ("routes", at))
        yield "refusals", written.otherwise, ("otherwise",)


def _in_route(route: Route, path: Path) -> Iterator[Mention]:
    yield from _each("capabilities", route.requires, (*path, "requires"))
    if route.advertise != "never":
        yield from _each("capabilities", route.advertise, (*path, "advertise"))
    if route.lookup is not None:
        yield "lookups", route.lookup, (*path, "lookup")
    if route.guard is not None:
        yield "guards", route.guard, (*path, "guard")
    if route.unwrap is not None:
        yield "unwraps", route.unwrap, (*path, "unwrap")
    if route.when_missing is not None:
        yield "refusals", route.when_missing, (*path, "when_missing")
    if route.off_turn is not None:
        yield "refusals", route.off_turn, (*path, "off_turn")
    for at, entry in enumerate(route.refuse):
        inside = (*path, "refuse", at)
        yield "refusals", entry.with_, (*inside, "with")
        yield from _each("callers", entry.callers or (), (*inside, "callers"))
        yield from _each("capabilities", entry.when or (), (*inside, "when"))
        yield from _each("capabilities", entry.unless or (), (*inside, "unless"))


def _each(section: Section, names: tuple[str, ...], path: Path) -> Iterator[Mention]:
    for at, name in enumerate(names):
        yield section, name, (*path, at)
