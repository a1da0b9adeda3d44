"""What the SQLite ledger costs, as ratios to bare SQLite in the same run.

python benchmarks/ledger_sqlite.py [--quick]

Bare is the standard library's `sqlite3` on the ledger's own tables, with the ledger's
own statements, prepared and cached, and nothing else.

- One awaited call at `power`, by the whole road from the handle to the answer, against
  its writes with FULL: an insert in one transaction and an update in another.
- The records of a round of 100 at `process`, against 100 transactions of one row each
  with NORMAL. And the whole round, decisions and handlers and all, against a
  transaction for each call's own writes: that one has some room.
- A call beside 100,000 open ones, against one beside 10.

Both sides are measured in turn, many times, and the median of the pairs' ratios counts.
What waits for the disk is measured by the clock, the rest in processor time, which a
busy machine doesn't change. Exits 1 where a ratio is over its limit.
"""

import asyncio
import gc
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from toolroute import Refusal, Road, ToolCall, ToolResult
from toolroute.routing import Bound, ServerPlane
from toolroute.runtime import Limits, Returned, Runtime, SqliteLedger
from toolroute.runtime._ledger import Opened
from toolroute.runtime._sqlite_rows import ANSWER, INSERT, START, columns

PAIRS: Final = 11 if "--quick" in sys.argv else 41
ROADS: Final[dict[str, Road]] = {"turn": "turn", "host": "host"}
NOW: Final = 1_800_000_000.0
ANSWERED: Final = '{"kind": "returned", "flags": [false, false], "content": "done"}'

Work: TypeAlias = Callable[[], Awaitable[object] | None]


class Sides(NamedTuple):
    """What is compared, and the clock for it."""

    ours: Work
    theirs: Work
    clock: Callable[[], float] = time.process_time


class Step(ServerPlane):
    """The one route."""

    __slots__ = ()
    kind = "step"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


def runtime(ledger: SqliteLedger) -> Runtime[str, None, Any]:
    """A host whose handler does nothing."""

    def decide(call: ToolCall, *_: object) -> Step | Refusal:
        return Step(call)

    def run(_route: Step, _context: object) -> ToolResult:
        return ToolResult("done")

    bound = Bound(decide, lambda *_: (), run, ROADS, frozenset(), "benchmark")
    return Runtime(bound, lambda _: None, ledger=ledger, limits=Limits(at_once=100))


class Bare:
    """The ledger's tables, without the ledger."""

    def __init__(self, path: Path, synchronous: str) -> None:
        SqliteLedger(path).close()
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute(f"PRAGMA synchronous = {synchronous}")
        self._serials = count(1)

    def awaited(self) -> None:
        """A call that starts as it's opened, and then its answer."""
        execute, serial = self._connection.execute, next(self._serials)
        execute("BEGIN IMMEDIATE")
        execute(INSERT[16], (serial, *COLUMNS, NOW, NOW))
        execute("COMMIT")
        execute("BEGIN IMMEDIATE")
        execute(ANSWER, (NOW, "returned", ANSWERED, serial))
        execute("COMMIT")

    def rows(self) -> None:
        """A hundred transactions of one row each."""
        execute = self._connection.execute
        for _ in range(100):
            execute("BEGIN IMMEDIATE")
            execute(INSERT[15], (next(self._serials), *COLUMNS, NOW))
            execute("COMMIT")

    def calls(self) -> None:
        """A hundred transactions of a call each: opened, started and answered."""
        execute = self._connection.execute
        for _ in range(100):
            serial = next(self._serials)
            execute("BEGIN IMMEDIATE")
            execute(INSERT[15], (serial, *COLUMNS, NOW))
            execute(START, (NOW, serial, serial))
            execute(ANSWER, (NOW, "returned", ANSWERED, serial))
            execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def opened(owner: str, number: int) -> Opened:
    """An open call of a turn."""
    call = ToolCall(f"toolu_{number}", "step", {"litres": 3})
    key = f"{owner}.{number}"
    turn = "0123456789abcdef"
    return Opened(number, key, "turn", "turn", "anna", None, turn, 1, 0, call)


COLUMNS: Final = (
    "0123456789abcdef",
    *columns(opened("0123456789abcdef", 1), '{"litres": 3}'),
)
"""A call's, from its owner to its input."""


async def power(folder: Path) -> list[float]:
    """One awaited call, to the disk and back."""
    bare = Bare(folder / "bare", "FULL")
    call = ToolCall("toolu_1", "step", {"litres": 3})
    with SqliteLedger(folder / "ledger", durable="power") as ledger:
        async with runtime(ledger) as running:
            host = running.host("anna")
            sides = Sides(lambda: host.call(call), bare.awaited, time.perf_counter)
            ratios = await compare(sides, 10)
    bare.close()
    return ratios


async def records(folder: Path) -> list[float]:
    """What the ledger does for a round of a hundred: opened, started, answered."""
    bare = Bare(folder / "bare", "NORMAL")
    with SqliteLedger(folder / "ledger") as ledger:

        def a_round() -> None:
            calls = [opened(ledger.owner, ledger.number()) for _ in range(100)]
            numbers = [call.number for call in calls]
            ledger.record(calls)
            ledger.record((), numbers)
            answer = Returned("done", '"done"', False, False)  # noqa: FBT003
            ledger.record((), (), [(number, answer) for number in numbers])

        ratios = await compare(Sides(a_round, bare.rows), 3)
    bare.close()
    return ratios


async def whole_round(folder: Path) -> list[float]:
    """A hundred calls of one message, by the whole road."""
    bare = Bare(folder / "bare", "NORMAL")
    calls = [ToolCall(f"toolu_{n}", "step", {"litres": n}) for n in range(100)]
    with SqliteLedger(folder / "ledger") as ledger:
        async with runtime(ledger) as running, running.turn("anna") as turn:
            ratios = await compare(Sides(lambda: turn.run(calls), bare.calls), 3)
    bare.close()
    return ratios


async def flat(folder: Path) -> list[float]:
    """The same call beside many open ones and beside few, each in a file of its own."""
    crowded, empty = (SqliteLedger(folder / name) for name in ("crowded", "empty"))
    with crowded, empty:
        for ledger, many in ((crowded, 100_000), (empty, 10)):
            for begin in range(0, many, 1_000):
                some = range(begin, min(begin + 1_000, many))
                ledger.record([opened(ledger.owner, ledger.number()) for _ in some])
        async with runtime(crowded) as one, runtime(empty) as other:
            call = ToolCall("toolu_1", "step", {"litres": 3})
            hosts = one.host("anna"), other.host("anna")
            sides = Sides(lambda: hosts[0].call(call), lambda: hosts[1].call(call))
            return await compare(sides, 200)


async def compare(sides: Sides, times: int) -> list[float]:
    """The ratio of each pair, after some that don't count."""
    gc.collect()
    gc.freeze()
    pairs = [
        [await spent(side, times, sides.clock) for side in sides[:2]]
        for _ in range(PAIRS + 3)
    ]
    return [ours / theirs for ours, theirs in pairs[3:]]


async def spent(work: Work, times: int, clock: Callable[[], float]) -> float:
    """Seconds for so many times `work`."""
    begun = clock()
    for _ in range(times):
        waiting = work()
        if waiting is not None:
            await waiting
    return clock() - begun


CASES: Final[Sequence[tuple[str, Callable[[Path], Awaitable[list[float]]], float]]] = (
    ("an awaited call at power / its bare writes with FULL", power, 2.0),
    ("the records of a round of 100 / 100 bare transactions of a row", records, 1.0),
    ("a whole round of 100 / 100 bare transactions of a call", whole_round, 1.25),
    ("a call beside 100,000 open ones / beside 10", flat, 1.25),
)


def main() -> int:
    """Print each case's ratio and its limit."""
    over = 0
    for name, case, limit in CASES:
        with tempfile.TemporaryDirectory() as folder:
            ratios = asyncio.run(case(Path(folder)))  # type: ignore[arg-type]
        ratio = statistics.median(ratios)
        over += ratio > limit
        print(f"{ratio:5.2f} (at most {limit:.2f})  {name}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
