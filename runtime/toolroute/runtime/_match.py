"""Which of a step's calls each recorded entry was, where that can be told: no I/O.

Laws:

- An id that both have tells, and rules out. Where several calls share it, or one of the
  two has none, the same name and input tell, and order, if there are as many entries as
  calls; a call entered twice is its last entry. Else the name tells, where there are
  one call and one entry of it.
- A call that an entry left over may have been isn't said not to have been entered.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar, final

T = TypeVar("T")

Found: TypeAlias = T | Literal["never entered", "can't tell"]

_Key: TypeAlias = Callable[["Seen"], Hashable]
"""What two must have in common; None where it tells nothing."""


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a call, or of an entry."""

    id: str | None
    name: str
    input: Any

    @property
    def said(self) -> tuple[str, str] | None:
        """The name and the input; None where the input isn't JSON."""
        try:
            return self.name, json.dumps(self.input, sort_keys=True)
        except (TypeError, ValueError, RecursionError):
            return None


def match(calls: Sequence[Seen], entries: Sequence[tuple[Seen, T]]) -> list[Found[T]]:
    """For each call its entry, or that it never had one, or that this can't be told."""
    times = Counter(call.id for call in calls)
    pairs = _Pairs(calls, entries)
    pairs.join(lambda seen: (seen.id, seen.name) if times[seen.id] == 1 else None)
    pairs.join(lambda seen: (seen.id, seen.said) if seen.said else None)
    pairs.join(lambda seen: seen.said, idless=True)
    named = Counter(call.name for call in calls)
    ran = Counter(entry.name for entry, _ in entries)
    once = {name for name in named if named[name] == ran[name] == 1}
    pairs.join(lambda seen: seen.name if seen.name in once else None, idless=True)
    return [pairs.of(place) for place in range(len(calls))]


@final
class _Pairs(Generic[T]):
    def __init__(
        self, calls: Sequence[Seen], entries: Sequence[tuple[Seen, T]]
    ) -> None:
        self._calls = dict(enumerate(calls))
        self._entries = {n: seen for n, (seen, _) in enumerate(entries)}
        self._values = [value for _, value in entries]
        self._found: dict[int, T] = {}

    def join(self, key: _Key, *, idless: bool = False) -> None:
        """Pair those with the same key, where their numbers tell which is which.

        `idless` pairs only those of which one side has no id; otherwise, both have one.
        """
        entries = _grouped(self._entries, key)
        for common, places in _grouped(self._calls, key).items():
            numbers = entries.get(common, [])
            if not numbers or not self._agree(places, numbers, idless):
                continue
            if len(places) == 1:
                self._pair(places, numbers[-1:], numbers)
            elif len(places) == len(numbers):
                self._pair(places, numbers, numbers)

    def of(self, place: int) -> Found[T]:
        """What was found of the call at this place."""
        if place in self._found:
            return self._found[place]
        call = self._calls[place]
        left = any(_may_be(call, entry) for entry in self._entries.values())
        return "can't tell" if left else "never entered"

    def _agree(
        self,
        places: Sequence[int],
        numbers: Sequence[int],
        idless: bool,  # noqa: FBT001
    ) -> bool:
        """Whether their ids rule nothing out, and are there if they have to be."""
        calls = [self._calls[place] for place in places]
        entries = [self._entries[number] for number in numbers]
        if not idless:
            return all(seen.id for seen in (*calls, *entries))
        return all(_may_be(call, entry) for call in calls for entry in entries)

    def _pair(
        self, places: Sequence[int], numbers: Sequence[int], used: Sequence[int]
    ) -> None:
        for place, number in zip(places, numbers, strict=True):
            self._found[place] = self._values[number]
            del self._calls[place]
        for number in used:
            del self._entries[number]


def _grouped(left: dict[int, Seen], key: _Key) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, seen in left.items():
        common = key(seen)
        if common is not None:
            groups[common].append(number)
    return groups


def _may_be(call: Seen, entry: Seen) -> bool:
    same = call.id == entry.id or not call.id or not entry.id
    return same and call.name == entry.name
