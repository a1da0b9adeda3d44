"""The living are told from the dead by locks that hold, or not at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute.runtime._ledger import LedgerError, Wanted
from toolroute.runtime._sqlite import SqliteLedger

from .busy import SETTLED, busy, kinds
from .given import Call, Open, Result


def test_the_locks_of_the_dead_are_cleared_away_and_those_of_the_living_stay(
    path: Path, opened: Open, process: Callable[..., Any]
) -> None:
    living, dead = process(), process()
    alive = living.do(busy(path))
    dead.do(busy(path))
    dead.kill()
    stray = path.with_name(f"{path.name}-owner-0123456789abcdef")
    stray.touch()
    ledger = opened()
    locks = {one.name for one in path.parent.iterdir() if "-owner-" in one.name}
    assert locks == {f"{path.name}-owner-{owner}" for owner in (alive, ledger.owner)}
    ledger.close()
    living.do("ledger.close()")
    assert {one.name for one in path.parent.iterdir()} == {path.name}


def test_a_lock_file_removed_by_hand_never_lets_a_call_be_answered_twice(
    path: Path, opened: Open, call: Call, result: Result
) -> None:
    ledger = opened()
    one, two = call(ledger, "waits"), call(ledger, "runs")
    ledger.record([one, two], [two.number])
    path.with_name(f"{path.name}-owner-{ledger.owner}").unlink()
    other = opened()
    assert kinds(other.recovered) == SETTLED
    for attempt in (
        lambda: ledger.record((), [one.number]),
        lambda: ledger.record((), (), [(two.number, result(1))]),
        lambda: ledger.record([call(ledger, "another")]),
    ):
        with pytest.raises(LedgerError) as lost:
            attempt()
        assert (lost.value.kind, lost.value.text) == (
            "lost",
            (
                f"{path} has its calls settled by another process, which took this one "
                "for dead since its lock file was removed. Leave the -owner- files "
                "alone, and restart."
            ),
        )
    assert kinds(other.find(Wanted())) == SETTLED


def test_a_file_system_whose_locks_do_not_hold_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fcntl.flock", lambda *_: None)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert (refused.value.kind, refused.value.text) == (
        "locks",
        (
            f"{path} is on a file system whose locks don't hold, so one process's "
            "calls can't be told from another's. Keep the ledger on a local disk."
        ),
    )
    assert not [one for one in path.parent.iterdir() if "-owner-" in one.name]


def test_a_lock_file_that_is_released_while_others_are_looked_at_is_no_trouble(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().close()
    stray = path.with_name(f"{path.name}-owner-0123456789abcdef")
    stray.touch()
    scan = os.scandir

    class Late:
        def __init__(self, folder: Path) -> None:
            with scan(folder) as entries:
                self.entries = list(entries)
            stray.unlink()

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Late)
    assert list(opened().recovered) == []


def test_a_system_without_locks_is_refused_before_anything_is_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolroute.runtime._sqlite_owner.sys.platform", "win32")
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert (refused.value.kind, refused.value.text) == (
        "locks",
        (
            "This system has no file locks that a ledger could tell the living from "
            "the dead by. Keep the calls in memory, or run the host on Linux or macOS."
        ),
    )
    assert list(path.parent.iterdir()) == []
