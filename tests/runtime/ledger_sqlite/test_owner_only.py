"""The file is its owner's alone, and is nobody else's file."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> object:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_all_of_its_files_are_the_owners_alone_whatever_the_umask(
    path: Path, opened: Open, call: Callable[..., Opened]
) -> None:
    ledger = opened()
    ledger.record([call(ledger)])
    assert {one.name: _mode(one) for one in path.parent.iterdir()} == {
        path.name: 0o600,
        f"{path.name}-wal": 0o600,
        f"{path.name}-shm": 0o600,
        f"{path.name}-owner-{ledger.owner}": 0o600,
    }


def test_no_file_is_anybody_elses_for_a_moment(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even between its making and the moment when its mode is seen to."""
    seen: list[int] = []
    change = os.fchmod

    def look_first(descriptor: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        change(descriptor, mode)

    before = os.umask(0)
    monkeypatch.setattr(os, "fchmod", look_first)
    try:
        SqliteLedger(path).close()
    finally:
        os.umask(before)
    assert len(seen) > 1
    assert set(seen) == {0o600}


def test_a_file_that_others_could_read_is_made_the_owners_alone(
    path: Path, opened: Open
) -> None:
    opened().close()
    path.chmod(0o666)
    opened()
    assert _mode(path) == 0o600


def test_an_empty_file_that_was_made_before_becomes_a_ledger(
    path: Path, opened: Open
) -> None:
    path.touch(0o644)
    assert list(opened().find(Wanted())) == []
    assert _mode(path) == 0o600


@pytest.mark.parametrize("target", ["there.ledger", "nowhere.ledger"])
def test_a_symbolic_link_is_refused_and_its_target_untouched(
    path: Path, target: str
) -> None:
    (path.parent / "there.ledger").touch()
    path.symlink_to(path.parent / target)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert (refused.value.kind, refused.value.text) == (
        "not-ours",
        (
            f"{path} is a symbolic link. The ledger is opened where it lies and "
            f"nowhere else: name {path.parent / target} if that's the one."
        ),
    )
    assert sorted(one.name for one in path.parent.iterdir()) == [
        "calls.ledger",
        "there.ledger",
    ]


def test_a_link_among_its_folders_leads_to_the_same_ledger(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    with (
        SqliteLedger(folder / "a.ledger"),
        SqliteLedger(tmp_path / "link" / "a.ledger"),
    ):
        locks = [one.name for one in folder.iterdir() if "-owner-" in one.name]
    assert len(locks) == 2


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_a_link_that_lies_in_wait_beside_it_is_refused(path: Path, suffix: str) -> None:
    trap, target = path.with_name(path.name + suffix), path.parent / "elsewhere"
    trap.symlink_to(target)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert refused.value.kind == "not-ours"
    assert refused.value.text.startswith(f"{trap} is a symbolic link.")
    assert not target.exists()


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_somebody_elses_file_is_refused(
    path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, me = path.with_name(path.name + suffix), os.geteuid()
    mine.touch()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert refused.value.kind == "not-ours"
    assert f" belongs to user {me} and this process runs as {me + 1}." in (
        refused.value.text
    )


def test_what_appears_beside_it_while_it_opens_is_seen(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody wins the race for the `-wal` in a folder that all may write."""
    me, files = os.geteuid(), "toolroute.runtime._sqlite_file.os.geteuid"
    asked: list[int] = []

    def somebody_else_later() -> int:
        asked.append(me)
        made = path.with_name(f"{path.name}-wal").exists()
        return me + 1 if made and path.with_name(f"{path.name}-shm").exists() else me

    monkeypatch.setattr(files, somebody_else_later)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert refused.value.kind == "not-ours"
    monkeypatch.undo()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert (refused.value.kind, refused.value.text) == (
        "not-ours",
        f"{path} is a folder. Name a file for the ledger.",
    )


def test_a_pipe_is_refused_and_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(path)
    assert (refused.value.kind, refused.value.text) == (
        "not-ours",
        f"{path} is not a regular file. Name a file for the ledger.",
    )


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(tmp_path / "missing" / "calls.ledger")
    assert (refused.value.kind, refused.value.text) == (
        "missing",
        (
            f"{tmp_path / 'missing'} isn't there. Make the folder first, or name "
            "another place."
        ),
    )


def test_names_that_a_uri_would_read_otherwise_are_names(tmp_path: Path) -> None:
    for name in ["a?mode=memory", "a#b", "a%20b", "a b", "ü.ledger"]:
        SqliteLedger(tmp_path / name).close()
    assert {one.name for one in tmp_path.iterdir()} == {
        "a?mode=memory",
        "a#b",
        "a%20b",
        "a b",
        "ü.ledger",
    }


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
