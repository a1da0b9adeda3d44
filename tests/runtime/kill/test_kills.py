"""A busy host is killed again and again, and its ledger tells the truth of it.

Two hosts at a time share one ledger with a third that lives. One kills itself where the
seed has it: at any call or return of any function, or right before or after something
is recorded. The other is killed from outside at some moment, in SQLite's own code too.
Then two processes open the ledger at once.

`make kill` does it ten times as often. `KILL_SEED` makes the same choices again.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
from kill_judge import Facts, Judge

KILLS = int(os.environ.get("KILLS", "200"))
SEED = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().getrandbits(32)
BATCHES = 4
NURSERY = Path(__file__).with_name("kill_nursery.py")


@dataclass
class Nursery:
    """Where the processes come from."""

    folder: Path
    ledger: Path
    orders: IO[str]
    answers: IO[str]
    born: int = 0

    def start(self, do: str, **order: Any) -> tuple[int, Path]:
        """Its process id and its trace."""
        self.born += 1
        trace = self.folder / f"trace-{self.born}"
        paths = {"ledger": str(self.ledger), "trace": str(trace)}
        return self.ask({"do": do, **paths, **order}), trace

    def ask(self, order: dict[str, Any]) -> int:
        self.orders.write(f"{json.dumps(order)}\n")
        self.orders.flush()
        return int(self.answers.readline())

    def reap(self, pid: int) -> int:
        return self.ask({"reap": pid})


@contextmanager
def nursery(folder: Path) -> Iterator[Nursery]:
    with subprocess.Popen(
        [sys.executable, "-W", "error", str(NURSERY)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Nursery(folder, folder / "calls.ledger", process.stdin, process.stdout)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Nursery]:
    with nursery(tmp_path) as started:
        yield started


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_host_that_is_killed_anywhere_leaves_one_true_answer_for_each_call(
    one: Nursery, batch: int
) -> None:
    print(f"KILL_SEED={SEED}, batch {batch}")  # noqa: T201 -- shown where it fails
    chance = random.Random(f"{SEED}/{batch}")  # noqa: S311
    judge = Judge(one.ledger)
    third, third_trace = one.start(
        "host", seed=batch, durable="process", rest=0.02, longest=30 + KILLS
    )
    living = owner_of(third_trace)
    opening = 0
    for _ in range(KILLS // BATCHES // 2):
        facts = Facts()
        for trace in (*kill_two(one, chance), *open_twice(one)):
            facts.read(trace)
        assert living not in facts.owners
        judge.judge(facts, living)
        opening += 2 - len(facts.owners)
    os.kill(third, signal.SIGTERM)
    assert one.reap(third) == 0
    facts = Facts()
    facts.read(third_trace)
    judge.judge_living(facts, living)
    judge.unchanged()
    print({"died opening": opening, **judge.seen})  # noqa: T201
    assert opening > 0
    assert set(judge.recovered) == {"not_executed", "outcome_unknown"}
    some = {"returned", "failed", "refused", "ran and unknown", "answered and not told"}
    assert some <= set(+judge.seen)


def test_what_is_left_ends_with_the_run(tmp_path: Path) -> None:
    with nursery(tmp_path) as one:
        host, trace = one.start("host", seed=1, durable="process")
        owner_of(trace)
    with pytest.raises(ProcessLookupError):
        os.kill(host, 0)


def kill_two(one: Nursery, chance: random.Random) -> list[Path]:
    """Two hosts on one ledger; each dies where its own choice has it."""
    point = {"point": int(chance.uniform(1, 12) ** 4)}
    record = {"record": chance.randrange(80)}
    orders = [chance.choice([point, record]), {}]
    hosts = [
        one.start(
            "host",
            seed=chance.getrandbits(32),
            durable=chance.choice(["process", "process", "process", "power"]),
            **order,
        )
        for order in orders
    ]
    time.sleep(chance.uniform(0, 0.08))
    os.kill(hosts[1][0], signal.SIGKILL)
    assert [one.reap(pid) for pid, _ in hosts] == [-signal.SIGKILL] * 2
    return [trace for _, trace in hosts]


def open_twice(one: Nursery) -> list[Path]:
    """Two processes at once."""
    openers = [one.start("open") for _ in range(2)]
    assert [one.reap(pid) for pid, _ in openers] == [0, 0]
    return [trace for _, trace in openers]


def owner_of(trace: Path) -> str:
    """Who the host is, as soon as it says so."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        facts = Facts()
        facts.read(trace)
        for owner in facts.owners:
            return owner
        time.sleep(0.005)
    raise AssertionError("the third host didn't start")
