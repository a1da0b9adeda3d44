"""A file that isn't a ledger, or is one no more, is told apart and left as it is."""

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from toolroute.runtime._answer import Answer
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger
from toolroute.runtime._sqlite_schema import NEWEST

Open = Callable[..., SqliteLedger]
Call = Callable[..., Opened]


def refused(path: Path) -> LedgerError:
    with pytest.raises(LedgerError) as error:
        SqliteLedger(path)
    return error.value


def folder(path: Path) -> dict[str, str]:
    """All that lies in the file's folder, by content."""
    return {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest()
        for one in path.parent.iterdir()
    }


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE t (a)", "PRAGMA application_id = 7", "PRAGMA user_version = 3"],
)
@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_another_applications_database_is_refused_and_left_as_it_is(
    path: Path, statement: str, journal: str
) -> None:
    with closing(sqlite3.connect(path)) as theirs:
        theirs.execute(f"PRAGMA journal_mode = {journal}")
        theirs.execute(statement)
        theirs.commit()
    path.chmod(0o600)
    before = folder(path)
    error = refused(path)
    assert (error.kind, error.text) == (
        "foreign",
        (
            f"{path} is the database of another application, and was left as it is. "
            "Name another file for the ledger."
        ),
    )
    assert folder(path) == before


def test_another_applications_unfinished_log_is_left_to_it(
    path: Path, tmp_path: Path
) -> None:
    theirs = sqlite3.connect(tmp_path / "theirs")
    with closing(theirs):
        theirs.execute("PRAGMA journal_mode = WAL")
        theirs.execute("CREATE TABLE t (a)")
        theirs.commit()
        for suffix in ("", "-wal"):
            copy = path.with_name(path.name + suffix)
            copy.write_bytes((tmp_path / f"theirs{suffix}").read_bytes())
            copy.chmod(0o600)
    wal = path.with_name(f"{path.name}-wal")
    before = path.read_bytes(), wal.read_bytes()
    assert refused(path).kind == "foreign"
    assert (path.read_bytes(), wal.read_bytes()) == before


@pytest.mark.parametrize("content", [b"x", b"%PDF-1.7 " * 100, b"\0" * 4096])
def test_what_is_no_database_is_refused_and_left_as_it_is(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    error = refused(path)
    assert (error.kind, error.text) == (
        "foreign",
        (
            f"{path} isn't an SQLite file, so it's no ledger, or it's one whose "
            "beginning is damaged. Name another file, or move this one aside."
        ),
    )
    assert {one.name for one in path.parent.iterdir()} == {path.name}
    assert path.read_bytes() == content


def test_a_newer_versions_ledger_is_refused_and_left_as_it_is(
    path: Path, opened: Open
) -> None:
    opened().close()
    with closing(sqlite3.connect(path)) as later:
        later.execute(f"PRAGMA user_version = {NEWEST + 1}")
    before = folder(path)
    error = refused(path)
    assert (error.kind, error.text) == (
        "newer",
        (
            f"{path} was written by a newer toolroute: its tables are version "
            f"{NEWEST + 1}, and this one reads up to {NEWEST}. Upgrade toolroute."
        ),
    )
    assert folder(path) == before


DAMAGED = (
    "{path} is damaged: its pages don't fit together. Move it aside together with its "
    "-wal and -shm and start a new one; `sqlite3 FILE .recover` shows what can still "
    "be read."
)


@pytest.fixture
def used(path: Path, opened: Open, call: Call, result: Callable[[int], Answer]) -> Path:
    """A ledger of many pages, whose last owner died."""
    ledger = opened()
    calls = [call(ledger, input={"text": "x" * 500}) for _ in range(200)]
    ledger.record(calls, (), [(one.number, result(1)) for one in calls[:100]])
    ledger.close()
    return path


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_ledger_cut_short_is_damaged(used: Path, share: float) -> None:
    content = used.read_bytes()
    used.write_bytes(content[: int(len(content) * share) // 4096 * 4096])
    error = refused(used)
    assert (error.kind, error.text) == ("damaged", DAMAGED.format(path=used))


def test_a_ledger_cut_within_its_first_page_is_damaged_or_no_ledger(used: Path) -> None:
    for length in (1, 50, 99, 100, 1000, 4095):
        content = used.read_bytes()
        used.write_bytes(content[:length])
        assert refused(used).kind in ("damaged", "foreign")
        used.write_bytes(content)


def test_a_page_overwritten_is_seen_before_it_decides_about_anybodys_calls(
    used: Path,
) -> None:
    content = used.read_bytes()
    pages = len(content) // 4096
    for page in range(1, pages, 5):
        start = page * 4096
        damaged = content[:start] + b"\xa5" * 4096 + content[start + 4096 :]
        used.write_bytes(damaged)
        error = refused(used)
        assert (error.kind, error.text) == ("damaged", DAMAGED.format(path=used))
        used.with_name(f"{used.name}-wal").unlink(missing_ok=True)
        used.with_name(f"{used.name}-shm").unlink(missing_ok=True)


def test_tables_that_are_not_a_ledgers_are_damage(path: Path, opened: Open) -> None:
    opened().close()
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("DROP TABLE owners")
    error = refused(path)
    assert (error.kind, error.text) == ("damaged", DAMAGED.format(path=path))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("input", "{"),
        ("answer", "{}"),
        ("answer", '{"kind": "unheard-of"}'),
        ("name", b"\xff"),
        ("road", "sea"),
        ("kind", "failed"),
    ],
)
def test_a_row_that_no_ledger_wrote_is_damage(
    path: Path,
    opened: Open,
    call: Call,
    result: Callable[[int], Answer],
    column: str,
    value: str | bytes,
) -> None:
    ledger = opened()
    one = call(ledger)
    ledger.record([one], (), [(one.number, result(1))])
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute(f"UPDATE calls SET {column} = ?", (value,))  # noqa: S608
        stranger.commit()
    with pytest.raises(LedgerError) as error:
        ledger.find(Wanted())
    assert error.value.kind == "damaged"


def test_an_answer_of_no_kind_is_damage(
    path: Path, opened: Open, call: Call, result: Callable[[str], Answer]
) -> None:
    ledger = opened(largest=10)
    one = call(ledger)
    ledger.record([one], (), [(one.number, result("x" * 20))])
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute("UPDATE calls SET kind = 'returne'")
        stranger.commit()
    with pytest.raises(LedgerError) as error:
        ledger.find(Wanted())
    assert error.value.kind == "damaged"


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_removed_or_replaced_while_open_takes_no_more_records(
    path: Path, opened: Open, call: Call, *, replaced: bool
) -> None:
    ledger = opened()
    path.rename(path.with_name("moved"))
    if replaced:
        path.touch(0o600)
    with pytest.raises(LedgerError) as error:
        ledger.record([call(ledger)])
    assert (error.value.kind, error.value.text) == (
        "missing",
        (
            f"{path} was removed or replaced while it was open here, so nothing more "
            "can be recorded. Put it back and restart, or restart with a new one."
        ),
    )
    path.with_name("moved").rename(path)
    one = call(ledger)
    ledger.record([one])
    assert [entry.opened for entry in ledger.find(Wanted())] == [one]
