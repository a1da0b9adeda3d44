"""The time that calls have: one timer for all that have equally much.

Calls that have the same time run out of it in the order in which they began, so only
the first of them needs a timer, and ending one costs nothing that grows with the rest.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import final

from toolroute.runtime._tracked import Tracked


@final
class Clock:
    """Tells of calls that had so many seconds, and are out of them."""

    __slots__ = ("_ends", "_loop", "_out", "_seconds", "_timer")

    def __init__(self, seconds: float, out: Callable[[Tracked], None]) -> None:
        self._seconds = seconds
        self._out = out
        self._ends: OrderedDict[Tracked, float] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, call: Tracked) -> None:
        """Its time begins now."""
        loop = asyncio.get_running_loop()
        end = self._ends[call] = loop.time() + self._seconds
        if self._timer is None or self._loop is not loop:
            self._loop = loop
            self._timer = loop.call_at(end, self._look, loop)

    def stop(self, call: Tracked) -> None:
        """It is answered."""
        self._ends.pop(call, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tell of those whose time is up, and look again when the next one's is."""
        if self._loop is not loop:
            return
        self._timer = None
        while self._ends:
            call, end = next(iter(self._ends.items()))
            if end > loop.time():
                self._timer = loop.call_at(end, self._look, loop)
                return
            del self._ends[call]
            self._out(call)
