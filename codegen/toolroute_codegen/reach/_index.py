"""The first route that takes a name, found without asking each route."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never, final

from toolroute_codegen.shapes import AnyName, Glob, Names, Prefix, Shape, Split, parts

Present: TypeAlias = frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class Ender:
    """A route that ends the search for whatever its shape takes, if it exists.

    It exists where `needs` are present; None: whatever is present.
    """

    at: int
    shape: Shape
    needs: Present | None

    def exists(self, present: Present) -> bool:
        """Whether it does where exactly these capabilities are present."""
        return self.needs is None or self.needs <= present


_Same: TypeAlias = list[Ender]
"""Those of one shape, in order, and none that another before it makes idle."""


def _add(ender: Ender, same: _Same) -> None:
    if not any(each.needs in (None, ender.needs) for each in same):
        same.append(ender)


@final
class _Keyed:
    """Those whose head (or tail, or separator) is a given text."""

    def __init__(self) -> None:
        self.by_text: Final[dict[str, _Same]] = {}
        self._lengths: list[int] | None = None

    def add(self, text: str, ender: Ender) -> None:
        _add(ender, self.by_text.setdefault(text, []))
        self._lengths = None

    def lengths(self) -> Sequence[int]:
        if self._lengths is None:
            self._lengths = sorted(set(map(len, self.by_text)))
        return self._lengths


@final
class Index:
    """All of a table's routes that end a search, by what they take."""

    def __init__(self, enders: Iterable[Ender]) -> None:
        self._names: Final[dict[str, _Same]] = {}
        self._prefixes: Final = _Keyed()
        self._globs: Final[dict[str, _Keyed]] = {}
        self._splits: Final = _Keyed()
        self._all: Final = list(enders)
        for ender in self._all:
            self._add(ender)
        self._heads: Final = sorted(set(map(len, self._globs)))
        self._has_patterns: Final = bool(
            self._globs or self._prefixes.by_text or self._splits.by_text
        )

    def first(self, name: str, present: Present, before: int) -> int | None:
        """The first route before this one that takes `name`, if one does."""
        found = before
        exact = self._names.get(name)
        if exact is not None and exact[0].at < before:
            found = _first(exact, present, found)
        if not self._has_patterns:
            return None if found == before else found
        for same in self._taking(name):
            found = _first(same, present, found)
        return None if found == before else found

    def all_before(self, at: int) -> list[Ender]:
        """Those before this route, in order."""
        return self._all[: bisect_left(self._all, at, key=lambda each: each.at)]

    def _add(self, ender: Ender) -> None:
        match ender.shape:
            case Names(names):
                for name in names:
                    same = self._names.get(name)
                    if same is None:
                        self._names[name] = [ender]
                    else:
                        _add(ender, same)
            case Prefix(head):
                self._prefixes.add(head, ender)
            case Glob(head, tail):
                self._globs.setdefault(head, _Keyed()).add(tail, ender)
            case Split(separator):
                self._splits.add(separator, ender)
            case AnyName():
                raise AssertionError("a lookup ends no search")
            case _:
                assert_never(ender.shape)

    def _taking(self, name: str) -> Iterator[_Same]:
        """Those with a pattern that takes `name`."""
        for length in self._prefixes.lengths():
            if length >= len(name):
                break
            same = self._prefixes.by_text.get(name[:length])
            if same is not None:
                yield same
        yield from self._with_glob(name)
        yield from self._with_split(name)

    def _with_glob(self, name: str) -> Iterator[_Same]:
        for length in self._heads:
            tails = self._globs.get(name[:length]) if length < len(name) else None
            if tails is None:
                continue
            for size in tails.lengths():
                if length + size >= len(name):
                    break
                same = tails.by_text.get(name[len(name) - size :])
                if same is not None:
                    yield same

    def _with_split(self, name: str) -> Iterator[_Same]:
        for size in self._splits.lengths():
            stretches = {name[at : at + size] for at in range(1, len(name) - size)}
            for separator in stretches:
                same = self._splits.by_text.get(separator)
                if same is not None and all(parts(separator, name)):
                    yield same


def _first(same: _Same, present: Present, found: int) -> int:
    """The first of them that exists, if it's before the one that was found."""
    for ender in same:
        if ender.at >= found:
            break
        if ender.exists(present):
            return ender.at
    return found
