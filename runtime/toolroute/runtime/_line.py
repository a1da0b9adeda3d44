"""The calls of a round in line: which run, and which wait for others."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import final

from toolroute.runtime._slots import Slots
from toolroute.runtime._waits import Waits


@final
class Line:
    """Starts places as there are slots, and lets places wait for each other."""

    __slots__ = ("_at_work", "_done", "_going", "_slots", "_start", "_waits", "_wakes")

    def __init__(self, at_once: int, start: Callable[[Sequence[int]], None]) -> None:
        self._start = start
        self._slots = Slots(at_once)
        self._waits = Waits()
        self._done: set[int] = set()
        self._wakes: dict[int, asyncio.Future[None]] = {}
        self._going = self._at_work = False

    def go(self, places: Iterable[int]) -> None:
        """Start these, as there are slots."""
        self._slots.queue(places)
        self._going = True
        self._move()

    def done(self, place: int) -> None:
        """This one is answered."""
        self._done.add(place)
        self._slots.give(place)
        for one in self._waits.done(place):
            self._slots.want(one)
        if self._slots.waited_for:
            self._move()

    def waits(self, place: int) -> bool:
        """Whether this one waits for others, or to go on after it."""
        return place in self._wakes

    async def wait(
        self, place: int, others: Collection[int], seconds: float | None
    ) -> Collection[int]:
        """Wait for the others, without a slot; those it gave up on.

        It goes on with a slot, whatever happens meanwhile, or it is done.
        """
        wake = asyncio.get_running_loop().create_future()
        self._wakes[place] = wake
        self._slots.give(place)
        self._let_go(self._waits.add(place, others))
        try:
            await asyncio.wait((wake,), timeout=seconds)
            left = tuple(self._waits.left(place))
            if not wake.done():
                self._let_go((place,))
                await wake
        except BaseException:
            self._slots.give(place)
            if place not in self._done:
                self._slots.take(place)
            raise
        finally:
            self._waits.drop(place)
            del self._wakes[place]
        return left

    def _let_go(self, places: Iterable[int]) -> None:
        """These have nothing left to wait for but a slot."""
        for place in places:
            self._slots.want(place)
        self._move()

    def _move(self) -> None:
        if self._at_work or not self._going:
            return
        self._at_work = True
        try:
            self._resume()
            while places := self._slots.started():
                self._start(places)
                self._resume()
        finally:
            self._at_work = False

    def _resume(self) -> None:
        for place in self._slots.resumed():
            wake = self._wakes[place]
            if not wake.done():
                wake.set_result(None)
