"""Files of every earlier version come up to date; the fixtures were written by them.

`version_1.ledger` is what version 1 left behind when its process was killed: a turn
that was over, and one with a call running, one waiting and one refused; and an awaited
call whose name is no text.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import pytest

from toolroute import Refusal, ToolCall
from toolroute.runtime import _sqlite_connect, _sqlite_schema
from toolroute.runtime._answer import Answer, Failed, OutcomeUnknown, Refused
from toolroute.runtime._ledger import Entry, LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger
from toolroute.runtime._sqlite_schema import NEWEST

Open = Callable[..., SqliteLedger]
FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def version_1(path: Path) -> Path:
    path.write_bytes((FIXTURES / "version_1.ledger").read_bytes())
    return path


def test_every_earlier_version_has_a_file_that_it_wrote() -> None:
    versions = {}
    for one in FIXTURES.glob("*.ledger"):
        with closing(sqlite3.connect(f"{one.as_uri()}?immutable=1", uri=True)) as file:
            (versions[one.stem],) = file.execute("PRAGMA user_version").fetchone()
    assert versions == {f"version_{n}": n for n in range(1, NEWEST)}


@pytest.mark.usefixtures("version_1")
def test_a_file_of_version_1_keeps_all_it_had(
    opened: Open, result: Callable[[Any], Answer]
) -> None:
    first, second = "acb83ff95e52309b", "72c3c2784399ad53"
    unknown = "Invalid tool name format: no_such_valve, so nothing was done"
    refusal = Refusal("unknown_tool", "NO_SUCH_TOOL", "no", unknown)
    expected = [
        entry(first, 1, "turn-1", 0, "read_valve", "started", result({"open": False})),
        entry(first, 2, "turn-1", 1, "open_valve", "started", _failed()),
        entry(second, 1, "turn-2", 0, "read_valve", "started", result("open")),
        entry(second, 2, "turn-2", 1, "open_valve", "started", None),
        entry(second, 3, "turn-2", 2, "close_valve", "open", None),
        entry(
            second,
            4,
            "turn-2",
            3,
            "no_such_valve",
            "open",
            Refused(refusal, marked=True),
        ),
        entry(second, 5, None, 0, "name \ud800 of no alphabet", "open", None),
    ]
    assert list(opened().find(Wanted())) == [
        one if one.kind else unknown_outcome(one) for one in expected
    ]


@pytest.mark.usefixtures("version_1")
def test_what_version_1_left_open_is_unknown_since_it_noted_no_boot(
    opened: Open,
) -> None:
    assert [(one.opened.call.name, one.kind) for one in opened().recovered] == [
        ("open_valve", "outcome_unknown"),
        ("close_valve", "outcome_unknown"),
        ("name \ud800 of no alphabet", "outcome_unknown"),
    ]


def test_a_file_of_version_1_has_the_tables_of_a_new_one(
    version_1: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.ledger"
    SqliteLedger(new).close()
    SqliteLedger(version_1).close()
    assert columns(version_1) == columns(new)


def test_a_version_is_not_taken_from_under_a_living_process(
    version_1: Path, process: Callable[..., Any]
) -> None:
    """The lock is held, as by a host that still runs the earlier toolroute."""
    host = process()
    lock = f"{version_1}-owner-72c3c2784399ad53"
    host.do(
        f"import fcntl; lock = open({lock!r}, 'w'); fcntl.flock(lock, fcntl.LOCK_EX)"
    )
    before = version_1.read_bytes()
    with pytest.raises(LedgerError) as refused:
        SqliteLedger(version_1)
    assert (refused.value.kind, refused.value.text) == (
        "in-use",
        (
            f"{version_1} is open in a process with an earlier toolroute, whose tables "
            f"are version 1; this one's are {NEWEST}. Stop that one first."
        ),
    )
    assert version_1.read_bytes() == before
    host.kill()
    with SqliteLedger(version_1) as ledger:
        assert len(ledger.recovered) == 3


def test_a_migration_that_is_cut_off_has_changed_nothing(
    version_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = columns(version_1)
    monkeypatch.setattr(
        "toolroute.runtime._sqlite_schema.VERSIONS",
        ((), ("ALTER TABLE owners ADD COLUMN boot TEXT", "ALTER TABLE nothing")),
    )
    with pytest.raises(LedgerError):
        SqliteLedger(version_1)
    monkeypatch.undo()
    assert columns(version_1) == before
    with SqliteLedger(version_1) as ledger:
        assert len(ledger.recovered) == 3


def test_a_file_is_looked_at_as_it_was_at_one_moment(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or one that is just being made a ledger would be another application's."""
    looks = []
    look = _sqlite_connect.version

    def version(connection: sqlite3.Connection, ledger: Path) -> int:
        looks.append(connection.in_transaction)
        return look(connection, ledger)

    monkeypatch.setattr(_sqlite_connect, "version", version)
    SqliteLedger(path).close()
    assert looks
    assert all(looks)


def test_who_makes_a_ledger_waits_for_others_who_look_at_the_file(path: Path) -> None:
    looking = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with closing(looking):
        looking.execute("BEGIN")
        looking.execute("SELECT count(*) FROM sqlite_master").fetchone()
        leave = threading.Timer(0.2, looking.execute, ["ROLLBACK"])
        leave.start()
        SqliteLedger(path).close()
        leave.join()


def test_what_sqlite_does_not_wait_for_is_tried_again_until_its_time_is_up(
    path: Path,
) -> None:
    """Two that go to write-ahead logging at once: one of them is told to go away."""
    with (
        closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as holding,
        closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other,
    ):
        holding.execute("BEGIN EXCLUSIVE")
        tried = []

        def work() -> str:
            tried.append(None)
            if len(tried) == 3:
                holding.execute("ROLLBACK")
            other.execute("BEGIN EXCLUSIVE")
            return "done"

        assert _sqlite_connect._patiently(work, 30.0) == "done"
        assert len(tried) == 3
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            _sqlite_connect._patiently(lambda: holding.execute("BEGIN IMMEDIATE"), 0.0)
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            _sqlite_connect._patiently(lambda: other.execute("SELECT * FROM t"), 30.0)


@pytest.mark.parametrize("looks", [1, 2])
def test_a_ledger_that_is_made_while_it_is_looked_at_is_one(
    path: Path, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    """Somebody else makes it, behind the first or the second thing that is read."""
    look, answers = _sqlite_schema._number, list[int]()

    def meanwhile(*asked: Any) -> int:
        answers.append(look(*asked))
        if len(answers) == looks:
            monkeypatch.undo()
            SqliteLedger(path).close()
        return answers[-1]

    path.touch(0o600)
    with closing(sqlite3.connect(path)) as connection:
        monkeypatch.setattr(_sqlite_schema, "_number", meanwhile)
        assert _sqlite_schema.version(connection, path) in (0, NEWEST)
    assert answers == [0] * looks


def test_two_that_make_one_new_ledger_at_once_both_have_it(
    path: Path, process: Callable[..., Any]
) -> None:
    both = [process(), process()]
    for number in range(20):
        new = path.with_name(f"new-{number}")
        for one in both:
            one.tell(
                f"ledger = SqliteLedger({str(new)!r}); ledger.record([call(ledger)])"
            )
        for one in both:
            one.hear()
        assert both[0].do("result = len(ledger.find(Wanted()))") == 2
        for one in both:
            one.do("ledger.close()")


def entry(
    owner: str,
    number: int,
    turn: str | None,
    place: int,
    name: str,
    started: Literal["started", "open"],
    answer: Answer | None,
) -> Entry:
    road, id_ = ("turn", f"toolu_{number:02}") if turn else ("host", "")
    call = ToolCall(id_, name, {"place": place})
    opened = Opened(
        number,
        f"{turn}/1/{place}",
        "turn" if turn else "host",
        road,
        "anna",
        None,
        turn,
        1 if turn else None,
        place,
        call,
    )
    return Entry(
        opened, owner, started == "started", answer.kind if answer else None, answer
    )


def unknown_outcome(one: Entry) -> Entry:
    answer = OutcomeUnknown(one.opened.call.name)
    return one._replace(kind=answer.kind, answer=answer)


def _failed() -> Failed:
    return Failed("open_valve", "the valve is stuck")


def columns(path: Path) -> list[tuple[str, str]]:
    """Every table's columns and every index, by name."""
    with closing(sqlite3.connect(path)) as file:
        return sorted(
            (table, column)
            for (table,) in file.execute("SELECT name FROM sqlite_master").fetchall()
            for (column,) in file.execute(
                "SELECT name FROM pragma_table_info(?) UNION ALL "
                "SELECT name FROM pragma_index_info(?)",
                (table, table),
            ).fetchall()
        )
