"""What a call costs, as ratios to plain Python in the same run.

python benchmarks/runtime_calls.py [--quick]

- One awaited call of the root table with a sync handler, in memory: decided, recorded,
  dispatched, answered. Against a function that does one `dict.get`.
- A round of 100 async handlers that do nothing, or take a millisecond each (of
  work, or of waiting), against a bare `asyncio.gather` of the same.
- A call beside 100,000 open ones, against one beside 10.

Both sides are timed in turn, a moment each, many times, and the median of the pairs'
ratios counts. What doesn't wait is timed in processor time, which a busy machine
doesn't change. Exits 1 where a ratio is over its limit.
"""

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeAlias, cast

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Context, Limits, Runtime, Turn
from toolroute_host import dispatch

PAIRS: Final = 40 if "--quick" in sys.argv else 400
DONE: Final = ToolResult("done")
CALL: Final = ToolCall("c1", "utils", {"action": "list"})
TABLE: Final = {f"name {number}": number for number in range(21)}
AT_ONCE: Final = 100
MILLISECOND: Final = 0.001


def lookup(name: str) -> int | None:
    """The baseline: one `dict.get`."""
    return TABLE.get(name)


class View:
    """A host that has nothing, and allows everything."""

    primary = fork = workspace = utilities = explicit_prose = False

    def __getattr__(self, name: str) -> None:
        return None

    def allowed_tools(self, _name: str, _caller: str) -> None:
        """Everybody may."""


class Handlers:
    """One handler for one kind, as each benchmark wants it."""

    def __init__(self, utils: Callable[[Any, Context], Any]) -> None:
        self.utils = utils


def host(utils: Callable[[Any, Context], Any]) -> Runtime[Any, Any, Any]:
    """The root table over this handler, in memory."""
    view = cast("Any", View())
    bound = dispatch.bind(cast("Any", Handlers(utils)))
    return Runtime(bound, lambda _: view, limits=Limits(at_once=AT_ONCE))


class Sides(NamedTuple):
    """What is compared: each does its work a number of times, and gives the seconds."""

    ours: Callable[[], Awaitable[float]]
    theirs: Callable[[], Awaitable[float]]


Clock: TypeAlias = Callable[[], float]
BUSY: Final[Clock] = time.process_time


async def one_call() -> Sides:
    """A call, against a lookup; both per piece."""
    handle = host(lambda _route, _context: DONE).host()

    async def ours() -> float:
        began = BUSY()
        for _ in range(200):
            await handle.call(CALL)
        return (BUSY() - began) / 200

    async def theirs() -> float:
        began = BUSY()
        for _ in range(4_000):
            lookup("name 7")
        return (BUSY() - began) / 4_000

    return Sides(ours, theirs)


async def a_round(work: Callable[[], Awaitable[None]], clock: Clock = BUSY) -> Sides:
    """A round of 100 calls, against `gather` of 100 coroutines."""

    async def handler(_route: Any, _context: Context) -> ToolResult:
        await work()
        return DONE

    async def bare() -> ToolResult:
        await work()
        return DONE

    turn: Turn = host(handler).turn("ada")
    await turn.begin()
    calls = [CALL] * AT_ONCE

    async def ours() -> float:
        began = clock()
        await turn.run(calls)
        return clock() - began

    async def theirs() -> float:
        began = clock()
        await asyncio.gather(*[bare() for _ in calls])
        return clock() - began

    return Sides(ours, theirs)


async def nothing() -> None:
    """What a handler does that does nothing."""


async def works() -> None:
    """A millisecond's work."""
    end = BUSY() + MILLISECOND
    while BUSY() < end:
        pass


async def waits() -> None:
    """A millisecond's waiting."""
    await asyncio.sleep(MILLISECOND)


async def open_calls() -> Sides:
    """A call beside many open ones, against a call beside few."""

    async def hangs() -> ToolResult:
        await asyncio.get_running_loop().create_future()
        return DONE

    def handler(route: Any, _context: Context) -> Any:
        return hangs() if route.call.input.get("hangs") else DONE

    async def beside(others: int) -> Callable[[], Awaitable[float]]:
        handle = host(handler).host()
        held = ToolCall("c2", "utils", {"hangs": True})
        kept.extend(handle.start(held) for _ in range(others))
        await asyncio.sleep(0)

        async def measure() -> float:
            began = BUSY()
            for _ in range(200):
                await handle.call(CALL)
            return BUSY() - began

        return measure

    kept: list[Any] = []
    return Sides(await beside(100_000), await beside(10))


async def ratio(sides: Sides, pairs: int) -> float:
    """The median of the pairs' ratios."""
    gc.collect()
    gc.freeze()
    ratios: list[float] = []
    for _ in range(pairs):
        theirs = await sides.theirs()
        ratios.append(await sides.ours() / theirs)
    return statistics.median(ratios)


async def main() -> int:
    """Measure, and say what is over its limit."""
    measured = [
        ("one call / one dict.get", one_call(), PAIRS, 100),
        ("100 handlers that do nothing / gather", a_round(nothing), PAIRS, 4),
        ("100 that work a millisecond / gather", a_round(works), PAIRS // 20, 1.1),
        (
            "100 that wait a millisecond / gather",
            a_round(waits, time.perf_counter),
            PAIRS,
            None,
        ),
        ("beside 100,000 open calls / beside 10", open_calls(), PAIRS, 1.3),
    ]
    status = 0
    for name, sides, pairs, limit in measured:
        found = await ratio(await sides, pairs)
        over = limit is not None and found > limit
        status |= over
        told = "no limit" if limit is None else f"limit {limit}"
        print(f"{name:<42} {found:8.2f}  {told}{'  OVER' if over else ''}")
    return status


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
