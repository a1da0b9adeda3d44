"""Which of a route's `refuse` entries can be the first to hold.

An entry holds in some call when a caller, a name and what is present can be chosen so.
Callers and names are few: those that entries tell apart. What is present needn't be
tried set by set. That an earlier entry doesn't hold means that, if all of its `when`
is present, all of its `unless` is. So from what has to be present, what else has to be
follows, step by step; this least set will do if any does, since more of it never makes
an earlier entry, or an earlier route, stand aside.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias, final

from toolroute_codegen.reach import Present, Reach
from toolroute_codegen.shapes import Names, sendable, shape_takes
from toolroute_codegen.table import RefuseEntry, Route

Name: TypeAlias = str | None
"""A name; None: one of those that no entry names."""


@final
class Refusing:
    """The `refuse` entries of the route at this position, which calls get to."""

    def __init__(
        self, reach: Reach, at: int, route: Route, callers: Sequence[str]
    ) -> None:
        self._reach: Final = reach
        self._at: Final = at
        self._route: Final = route
        self._callers: Final = callers
        self._rest: Final[dict[Present, bool]] = {}
        self._closed: Final[dict[str, int]] = {}

    def is_first(self, which: int) -> bool:
        """Whether some call gets to this entry, and it holds; raises `Undecided`."""
        return self._is_plain(which) or any(
            self._can_be(which, caller, name)
            for caller in self.callers_of(which)
            for name in self.names_of(which)
        )

    def callers_of(self, which: int) -> list[str]:
        """The callers for whom an entry can hold."""
        wanted = self._route.refuse[which].callers
        return [each for each in self._callers if wanted is None or each in wanted]

    def names_of(self, which: int) -> list[Name]:
        """The names for which it can."""
        wanted = self._route.refuse[which].names
        if wanted is not None:
            return [name for name in dict.fromkeys(wanted) if self._takes(name)]
        shape = self._reach.shapes[self._at]
        if isinstance(shape, Names):
            return [name for name in shape.names if sendable(name)]
        return [None, *self._named]

    def example(self, name: Name) -> str | None:
        """A name, whether or not it gets to this route."""
        return name or self._reach.any_name(self._at, self._named)

    def least(self, which: int) -> Present:
        """What has to be present for an entry to hold."""
        needs = self._reach.needs[self._at]
        return needs.union(self._route.refuse[which].when or ())

    def _is_plain(self, which: int) -> bool:
        """Whether any call that gets to the route will do, by a caller of the entry."""
        entry = self._route.refuse[which]
        needs = self._reach.needs[self._at]
        return (
            which == 0
            and self._reach.least(self._at) == needs
            and entry.names is None
            and not entry.when
            and (entry.unless is None or not needs.issuperset(entry.unless))
            and self.callers_of(which) != []
        )

    def _can_be(self, which: int, caller: str, name: Name) -> bool:
        if self._closed_at(caller) < which:
            return False
        present = _at_least(self.least(which), self._before(which, caller, name))
        unless = self._route.refuse[which].unless
        if present is None or (unless is not None and present.issuperset(unless)):
            return False
        if name is None:
            if present not in self._rest:
                self._rest[present] = self._rest_gets_here(present)
            return self._rest[present]
        return self._reach.first(name, present, self._at) is None

    def _before(self, which: int, caller: str, name: Name) -> list[RefuseEntry]:
        """The entries before this one that may hold for the caller and the name."""
        asked = (*self._by_name.get(name, ()), *self._by_name.get(None, ()))
        entries = (self._route.refuse[each] for each in asked if each < which)
        return [e for e in entries if e.callers is None or caller in e.callers]

    @cached_property
    def _by_name(self) -> dict[Name, list[int]]:
        """The positions of the entries that name each name; None: that name none."""
        found: dict[Name, list[int]] = {}
        for at, entry in enumerate(self._route.refuse):
            for name in (None,) if entry.names is None else dict.fromkeys(entry.names):
                found.setdefault(name, []).append(at)
        return found

    def _closed_at(self, caller: str) -> int:
        """The first entry that holds for every call of this caller."""
        if caller not in self._closed:
            always = (
                at
                for at, entry in enumerate(self._route.refuse)
                if (entry.callers is None or caller in entry.callers)
                and entry.names is None
                and not entry.when
                and entry.unless is None
            )
            self._closed[caller] = next(always, len(self._route.refuse))
        return self._closed[caller]

    def _rest_gets_here(self, present: Present) -> bool:
        return self._reach.untaken(self._at, present, self._named) is not None

    def _takes(self, name: str) -> bool:
        shape = self._reach.shapes[self._at]
        return (
            shape is not None
            and sendable(name) is not None
            and shape_takes(shape, name)
        )

    @cached_property
    def _named(self) -> tuple[str, ...]:
        """The names of this route that entries name."""
        named: Iterator[str] = (
            name for entry in self._route.refuse for name in entry.names or ()
        )
        return tuple(name for name in dict.fromkeys(named) if self._takes(name))


def _at_least(present: Present, earlier: Sequence[RefuseEntry]) -> Present | None:
    """What is present at least when none of `earlier` holds; None: one always does."""
    left = list(earlier)
    while True:
        asked = [each for each in left if present.issuperset(each.when or ())]
        if not asked:
            return present
        for each in asked:
            if each.unless is None:
                return None
            present = present.union(each.unless)
        left = [each for each in left if each not in asked]
