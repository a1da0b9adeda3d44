"""Whether a call can get to a route, past all those before it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Final, assert_never, final

from toolroute_codegen.reach._covers import Covers, may_meet
from toolroute_codegen.reach._index import Ender, Index, Present
from toolroute_codegen.reach._machines import Undecided
from toolroute_codegen.reach._patterns import fits_nothing
from toolroute_codegen.shapes import (
    ALPHABET,
    AnyName,
    Glob,
    Names,
    Pattern,
    Prefix,
    Shape,
    Split,
    sendable,
    shape_of,
    shape_takes,
)
from toolroute_codegen.table import Route

_PROBES: Final = 3
"""Characters that are tried before an automaton is made."""


@final
class Reach:
    """The routes of a table, as far as their shapes and `requires` go.

    Lookups take nothing for certain, so nothing ends with them.
    """

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes: Final = routes
        self.shapes: Final[list[Shape | None]] = [
            None if fits_nothing(route) else shape_of(route) for route in routes
        ]
        needs = {each: frozenset(each) for each in {r.requires for r in routes}}
        self.needs: Final = [needs[route.requires] for route in routes]
        self._index: Final = Index(self._enders())
        self._covers: Final = Covers()

    def least(self, at: int) -> Present:
        """What has to be present for the route to have a call: its own, or nothing."""
        return frozenset() if self._answers_always(at) else self.needs[at]

    def first(self, name: str, present: Present, before: int) -> int | None:
        """The first route before this one that ends the search for `name`."""
        return self._index.first(name, present, before)

    def untaken(
        self, at: int, present: Present, but: Collection[str] = ()
    ) -> str | None:
        """A name that gets to this route, where exactly these are present.

        It's none of `but`. None: no name does. Raises `Undecided`.
        """
        shape = self.shapes[at]
        if shape is None:
            return None
        if isinstance(shape, Names):
            for name in shape.names:
                if (
                    self.first(name, present, at) is None
                    and name not in but
                    and sendable(name)
                ):
                    return name
            return None
        for name in self._probes(shape):
            if name not in but and self.first(name, present, at) is None:
                return name
        if self._alone(at, shape, present) is not None:
            return None
        return self._searched(at, shape, present, but)

    def any_name(self, at: int, but: Collection[str] = ()) -> str | None:
        """A name of this route's shape, whoever else takes it; raises `Undecided`."""
        shape = self.shapes[at]
        if shape is None or isinstance(shape, Names):
            return next(iter(shape.names), None) if shape else None
        plain = (name for name in self._probes(shape) if name not in but)
        return next(plain, None) or self._covers.left_of(shape, [Names(tuple(but))])

    def takers(self, at: int, present: Present) -> list[int]:
        """The routes that take every name of this one together, none of them idle.

        Only of a route that no name gets to. Where it would take too long to tell which
        are idle, they are those that take some names that were tried.
        """
        shape = self.shapes[at]
        if shape is None:
            return []
        if isinstance(shape, Names):
            own = {self.first(e, present, at) for e in shape.names if sendable(e)}
            return sorted(each for each in own if each is not None)
        with suppress(Undecided):
            return self._needed(at, shape, present)
        tried = {self.first(name, present, at) for name in self._probes(shape)}
        return sorted(each for each in tried if each is not None)

    def _needed(self, at: int, shape: Pattern, present: Present) -> list[int]:
        alone = self._alone(at, shape, present)
        if alone is not None:
            return [alone]
        before = self._before(at, shape, present)
        needed = self._covers.needed(shape, [each.shape for each in before])
        return [before[each].at for each in needed]

    def examples(self, at: int, takers: Iterable[int], present: Present) -> list[str]:
        """Names of this route: for each of `takers`, one that it is the first to take.

        Some name, where there is no such one, or it would take too long to find.
        """
        shape = self.shapes[at]
        if shape is None:
            return []
        if isinstance(shape, Names):
            return [each for each in shape.names if sendable(each)]
        found = [
            name
            for each in takers
            if (name := self._first_of(at, each, present)) is not None
        ]
        return found or [*islice(self._probes(shape), 1)]

    def _first_of(self, at: int, taker: int, present: Present) -> str | None:
        """A name of this route that the other takes before any else."""
        shape, other = self.shapes[at], self.shapes[taker]
        if shape is None or other is None:
            return None
        earlier = (each.shape for each in self._before(taker, shape, present))
        with suppress(Undecided):
            return self._covers.common_to(shape, other, earlier)
        return None

    def _enders(self) -> Iterator[Ender]:
        for at, route in enumerate(self._routes):
            shape = self.shapes[at]
            if shape is not None and route.lookup is None:
                needs = None if self._answers_always(at) else self.needs[at]
                yield Ender(at, shape, needs)

    def _answers_always(self, at: int) -> bool:
        route = self._routes[at]
        return route.when_missing is not None and route.lookup is None

    def _probes(self, shape: Pattern) -> Iterator[str]:
        """Sendable names of a shape that as few others as can be have too."""
        for each in self._rare:
            name = _probe(shape, each)
            if shape_takes(shape, name):
                yield name

    @cached_property
    def _rare(self) -> list[str]:
        """The characters that the table's patterns use least."""
        text = "".join(_text_of(each) for each in self.shapes if each is not None)
        return sorted(ALPHABET, key=text.count)[:_PROBES]

    def _alone(self, at: int, shape: Pattern, present: Present) -> int | None:
        """An earlier route that takes every name of this one by itself, if it's plain.

        Such a one takes any name that is tried, or one before it does.
        """
        for name in self._probes(shape):
            first = self.first(name, present, at)
            other = None if first is None else self.shapes[first]
            if other is not None and self._covers.covers(other, shape):
                return first
        return None

    def _searched(
        self, at: int, shape: Pattern, present: Present, but: Collection[str]
    ) -> str | None:
        """The same, by automata: those of patterns first, of names only if need be."""
        before = [each.shape for each in self._before(at, shape, present)]
        patterns = [each for each in before if not isinstance(each, Names)]
        left = self._covers.left_of(shape, patterns)
        if left is None or (left not in but and self.first(left, present, at) is None):
            return left
        exact = {
            name
            for each in before
            if isinstance(each, Names)
            for name in each.names
            if shape_takes(shape, name)
        }
        return self._covers.left_of(shape, [*patterns, Names((*exact, *but))])

    def _before(self, at: int, shape: Shape, present: Present) -> list[Ender]:
        """Those before this route that exist and may take a name of its shape."""
        return [
            each
            for each in self._index.all_before(at)
            if each.exists(present) and may_meet(shape, each.shape)
        ]


def _probe(shape: Pattern, each: str) -> str:
    match shape:
        case Prefix(head):
            return head + each
        case Glob(head, tail):
            return head + each + tail
        case Split(separator):
            return each + separator + each
        case AnyName():
            return each
        case _:
            assert_never(shape)


def _text_of(shape: Shape) -> str:
    match shape:
        case Prefix(text) | Split(text):
            return text
        case Glob(head, tail):
            return head + tail
        case Names() | AnyName():
            return ""
        case _:
            assert_never(shape)
