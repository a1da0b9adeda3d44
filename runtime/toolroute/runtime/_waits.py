"""Which calls of a round wait for which: no I/O, only places.

Laws:

- A call waits until each call that it waits for is done, or waits for it in turn,
  directly or through others: all of such a ring go on, so no ring holds.
- Outside the ring a wait stays: who waits for a ring's member and isn't waited for by
  it still waits for it.
- Adding a wait costs what the ring can reach, and ending one what it touches.
"""

from collections.abc import Collection
from typing import final


@final
class Waits:
    """The waits of one round."""

    __slots__ = ("_after", "_before")

    def __init__(self) -> None:
        self._before: dict[int, set[int]] = {}
        self._after: dict[int, set[int]] = {}

    def __contains__(self, place: int) -> bool:
        return place in self._before

    def left(self, place: int) -> Collection[int]:
        """What `place` still waits for."""
        return self._before.get(place, ())

    def add(self, place: int, others: Collection[int]) -> list[int]:
        """`place` waits for these; gives those that go on now, itself perhaps."""
        self._before[place] = set(others)
        for other in others:
            self._after.setdefault(other, set()).add(place)
        ring = self._reach(place, self._before) & self._reach(place, self._after)
        return [one for one in (*ring, place) if self._let_go(one, ring)]

    def done(self, place: int) -> list[int]:
        """`place` is answered; gives those that go on now."""
        if not self._after:
            return []
        self.drop(place)
        waiting = self._after.pop(place, set())
        return [one for one in waiting if self._let_go(one, {place})]

    def drop(self, place: int) -> None:
        """`place` waits no longer, for whatever reason."""
        for other in self._before.pop(place, ()):
            self._after[other].discard(place)

    def _let_go(self, place: int, others: Collection[int]) -> bool:
        """Drop these of its waits; whether none is left, and then forget it."""
        before = self._before.get(place)
        if before is None:
            return False
        for other in before.intersection(others):
            before.discard(other)
            self._after.get(other, set()).discard(place)
        if not before:
            del self._before[place]
        return not before

    def _reach(self, place: int, steps: dict[int, set[int]]) -> set[int]:
        seen: set[int] = set()
        ahead = [place]
        while ahead:
            new = steps.get(ahead.pop(), set()) - seen
            seen |= new
            ahead += new
        return seen
