"""Which calls of a round may run now: no I/O, only places."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import final


@final
class Slots:
    """At most `at_once` hold a slot; who wants one back goes before who starts."""

    __slots__ = ("_at_once", "_held", "_queue", "_wanting")

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._held: set[int] = set()
        self._queue: OrderedDict[int, None] = OrderedDict()
        self._wanting: OrderedDict[int, None] = OrderedDict()

    @property
    def waited_for(self) -> bool:
        """Whether any place wants a slot, or is to start."""
        return bool(self._queue or self._wanting)

    def queue(self, places: Iterable[int]) -> None:
        """These start when there are slots, in this order."""
        for place in places:
            self._queue.setdefault(place)

    def want(self, place: int) -> None:
        """This one goes on when there is a slot."""
        self._wanting[place] = None

    def take(self, place: int) -> None:
        """This one goes on, also where there is no slot left."""
        self._held.add(place)

    def give(self, place: int) -> None:
        """This one needs no slot, now or later."""
        self._held.discard(place)
        self._queue.pop(place, None)
        self._wanting.pop(place, None)

    def resumed(self) -> list[int]:
        """Those that go on now; each holds a slot."""
        return self._fill(self._wanting)

    def started(self) -> list[int]:
        """Those that start now; each holds a slot."""
        return self._fill(self._queue)

    def _fill(self, waiting: OrderedDict[int, None]) -> list[int]:
        if not waiting:
            return []
        free = self._at_once - len(self._held)
        ready = range(min(free, len(waiting)))
        places = [waiting.popitem(last=False)[0] for _ in ready]
        self._held.update(places)
        return places
