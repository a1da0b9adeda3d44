"""A busy host is killed again and again, and starts again with the truth.

Two hosts at a time work on one folder. One kills itself where the seed has it, at any
call or return of any function; the folder is opened while the other lives, which then
is killed from outside. `HOST_KILLS` says how many die, and `KILL_SEED` makes the same
choices again.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import host_busy
import pytest
from host_judge import AGENTS, Facts, Kept, judge, kept

from toolroute_host.assembly import opened

KILLS = int(os.environ.get("HOST_KILLS", "40"))
SEED = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().getrandbits(32)
BATCHES = 4
NURSERY = Path(__file__).with_name("host_nursery.py")
DYING, LIVING = ("ada", "fay"), ("bea", "gil")
ASLEEP = 30 * 24 * 3600


@dataclass
class Nursery:
    """Where the hosts come from, and the folder that they share."""

    folder: Path
    orders: IO[str]
    answers: IO[str]
    traces: list[Path] = field(default_factory=list)

    @property
    def host(self) -> Path:
        return self.folder / "host"

    def start(self, **order: Any) -> int:
        trace = self.folder / f"trace-{len(self.traces)}"
        self.traces.append(trace)
        return self.ask({"folder": str(self.host), "trace": str(trace), **order})

    def ask(self, order: dict[str, Any]) -> int:
        self.orders.write(f"{json.dumps(order)}\n")
        self.orders.flush()
        return int(self.answers.readline())

    def reap(self, pid: int) -> int:
        return self.ask({"reap": pid})

    def facts(self) -> Facts:
        facts = Facts()
        for trace in self.traces:
            facts.read(trace)
        return facts


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
        yield Nursery(folder, process.stdin, process.stdout)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Nursery]:
    (tmp_path / "host").mkdir()
    (tmp_path / "host/host.toml").write_text(host_busy.CONFIG)
    with nursery(tmp_path) as started:
        yield started


def restarted(one: Nursery) -> Kept:
    """The folder, opened and read; sleeps and hearts are as they were set."""

    async def act() -> Kept:
        async with opened(one.host) as hosted:
            gate = hosted.world.event_gate
            assert gate is not None
            for agent in AGENTS:
                until = gate.asleep_until(agent)
                assert until is not None, f"{agent} should be asleep"
                assert until > time.time() + ASLEEP / 2
                assert gate.deadline(agent, "heartbeat") is not None
            return kept(hosted, one.host)

    return asyncio.run(act())


def fall_asleep(one: Nursery) -> None:
    async def act() -> None:
        async with opened(one.host) as hosted:
            gate = hosted.world.event_gate
            assert gate is not None
            for agent in AGENTS:
                gate.sleep(agent, ASLEEP)
                gate.set_deadline(agent, "heartbeat", 1, "1.0")

    asyncio.run(act())


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_host_that_is_killed_anywhere_starts_again_with_the_truth(
    one: Nursery, batch: int
) -> None:
    print(f"KILL_SEED={SEED}, batch {batch}")  # noqa: T201 -- shown where it fails
    chance = random.Random(f"{SEED}/{batch}")  # noqa: S311
    fall_asleep(one)
    before: Kept | None = None
    seen: Counter[str] = Counter()
    for _ in range(KILLS // BATCHES // 2):
        dying = one.start(
            seed=chance.getrandbits(32), agents=DYING, point=points(chance)
        )
        living = one.start(seed=chance.getrandbits(32), agents=LIVING, point=None)
        assert one.reap(dying) == -signal.SIGKILL
        restarted(one)
        time.sleep(chance.uniform(0, 0.1))
        os.kill(living, signal.SIGKILL)
        assert one.reap(living) == -signal.SIGKILL
        before = judged(one, before, seen)
    print(dict(sorted(seen.items())))  # noqa: T201
    assert {"turn returned", "host returned"} <= set(seen)
    assert "ran and unknown" in +seen


def judged(one: Nursery, before: Kept | None, seen: Counter[str]) -> Kept:
    now = restarted(one)
    seen.clear()
    seen.update(judge(now, one.facts(), before))
    return now


def points(chance: random.Random) -> int:
    """Mostly not far from the start, now and then late."""
    return int(chance.uniform(2, 9) ** 5)
