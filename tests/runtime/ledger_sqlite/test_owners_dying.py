"""A process is killed as it starts a program, whose copy of its lock lives on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute.runtime import _sqlite_boot, _sqlite_owner
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]
BUSY = """
import subprocess
ledger = SqliteLedger({path!r})
one = call(ledger, "runs")
ledger.record([one], [one.number])
lock = ledger._store._owner.descriptor
child = subprocess.Popen(["sleep", "60"], pass_fds=[lock], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
"""


@pytest.fixture
def killed(path: Path, process: Callable[..., Any]) -> Any:
    """A host that was killed, and whose child has the lock until it's killed, too."""
    host, reaper = process(), process()
    host.do(BUSY.format(path=str(path)))
    child = host.do("result = child.pid")
    host.kill()
    yield
    reaper.do(f"import os; os.kill({child}, 9)")


@pytest.mark.skipif(_sqlite_owner._place() is None, reason="ids have no place here")
@pytest.mark.usefixtures("killed")
def test_a_dead_owner_whose_child_has_its_lock_is_dead(
    path: Path, opened: Open
) -> None:
    assert [one.kind for one in opened().recovered] == ["outcome_unknown"]
    assert list(opened().recovered) == []
    assert len(list(path.parent.glob(f"{path.name}-owner-*"))) == 2


@pytest.mark.parametrize("elsewhere", ["boot", "namespace", "no boot", "no namespace"])
@pytest.mark.usefixtures("killed")
def test_a_process_id_is_nobodys_only_where_it_was_given(
    opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, elsewhere: str
) -> None:
    """Else the lock alone tells the dead from the living."""
    (tmp_path / "boot").write_text("another")
    (tmp_path / "namespace").symlink_to("pid:[1]")
    if "boot" in elsewhere:
        monkeypatch.setattr(_sqlite_boot, "_BOOT_ID", tmp_path / elsewhere)
    else:
        monkeypatch.setattr(_sqlite_owner, "_PID_NAMESPACE", tmp_path / elsewhere)
    assert list(opened().recovered) == []


@pytest.mark.parametrize("text", ["", "nobody", "0", "-1", "9" * 30])
def test_a_lock_file_that_names_no_process_is_its_lock_alone(
    path: Path, opened: Open, text: str
) -> None:
    ledger = opened()
    file = path.with_name(f"{path.name}-owner-{ledger.owner}")
    file.write_text(f"{text} {_sqlite_owner._place()}")
    other = SqliteLedger(path)
    assert list(other.recovered) == []
    other.close()
    ledger.record()


def test_a_lock_file_that_is_released_meanwhile_is_no_trouble(tmp_path: Path) -> None:
    assert not _sqlite_owner._process_is_gone(tmp_path / "released")
