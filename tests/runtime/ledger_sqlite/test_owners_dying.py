"""A process is killed as it starts a program, whose copy of its lock lives on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute.runtime import _sqlite_owner
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]
BUSY = """
import subprocess
ledger = SqliteLedger({path!r})
one = call(ledger, "runs")
ledger.record([one], [one.number])
lock = ledger._store._owner.descriptor
subprocess.Popen(["sleep", {seconds!r}], pass_fds=[lock], stdin=subprocess.DEVNULL,
                 stdout=subprocess.DEVNULL)
"""


def test_a_dead_owner_whose_child_has_its_lock_for_a_moment_is_dead(
    path: Path, opened: Open, process: Callable[..., Any]
) -> None:
    host = process()
    host.do(BUSY.format(path=str(path), seconds="0.3"))
    host.kill()
    assert [one.kind for one in opened().recovered] == ["outcome_unknown"]


def test_a_lock_that_a_child_keeps_is_not_waited_for_for_ever(
    path: Path,
    opened: Open,
    process: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_sqlite_owner, "_BEGINNING", 0.05)
    host = process()
    host.do(BUSY.format(path=str(path), seconds="2"))
    host.kill()
    ledger = opened()
    assert list(ledger.recovered) == []
    ledger.close()


@pytest.mark.parametrize("text", ["", "nobody", "0", "-1", "9" * 30])
def test_a_lock_file_with_no_process_in_it_is_its_lock_alone(
    path: Path, opened: Open, text: str
) -> None:
    ledger = opened()
    file = path.with_name(f"{path.name}-owner-{ledger.owner}")
    file.write_text(text)
    assert not _sqlite_owner._its_process_is_gone(file)
    other = SqliteLedger(path)
    assert list(other.recovered) == []
    other.close()
