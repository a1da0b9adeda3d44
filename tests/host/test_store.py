"""The store is the host's own file, and whatever else is there is left as it is."""

import json
import sqlite3
import stat
from pathlib import Path

import pytest

from toolroute_host._schema import MIGRATIONS
from toolroute_host.store import Store, StoreError


def test_what_is_kept_is_there_after_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "host.db")
    with store.change() as db:
        db.execute("INSERT INTO settings VALUES ('ada', 'backscroll', '3')")
    store.close()
    store = Store(tmp_path / "host.db")
    assert store.read("SELECT * FROM settings") == [("ada", "backscroll", "3")]
    store.close()


def test_a_change_that_raises_changes_nothing(store: Store) -> None:
    def broken() -> None:
        with store.change() as db:
            db.execute("INSERT INTO settings VALUES ('ada', 'backscroll', '3')")
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert store.read("SELECT * FROM settings") == []


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    Store(tmp_path / "host.db").close()
    mode = (tmp_path / "host.db").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_two_processes_see_each_others_changes(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "host.db"), Store(tmp_path / "host.db")
    with one.change() as db:
        db.execute("INSERT INTO settings VALUES ('ada', 'backscroll', '3')")
    assert other.read("SELECT value FROM settings") == [("3",)]
    one.close()
    other.close()


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    theirs = sqlite3.connect(path)
    theirs.execute("CREATE TABLE mine (x)")
    theirs.commit()
    theirs.close()
    with pytest.raises(StoreError) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} is another program's database, so it was left as it is. "
        "Name a file that isn't there yet."
    )
    again = sqlite3.connect(path)
    assert again.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]
    again.close()


def test_an_older_hosts_store_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "host.db"
    with monkeypatch.context() as older:
        older.setattr("toolroute_host.store.MIGRATIONS", MIGRATIONS[:1])
        store = Store(path)
    use = {"type": "tool_use", "id": "a", "name": "think", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "x"}
    messages = [
        {"role": "user", "content": "only text"},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}, use]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [use]},
    ]
    with store.change() as db:
        for message in messages:
            db.execute(
                "INSERT INTO messages (owner, message) VALUES ('ada', ?)",
                (json.dumps(message),),
            )
    store.close()
    store = Store(path)
    assert store.read("SELECT owner, id FROM call_ids") == [("ada", "a")]
    store.close()


def test_a_newer_hosts_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "host.db"
    Store(path).close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(StoreError) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} was written by a newer host (its format is 99, this one knows up to "
        f"{len(MIGRATIONS)}). Upgrade toolroute."
    )


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "host.db"
    path.write_text("not a database at all, though long enough to have a header" * 9)
    before = path.read_bytes()
    with pytest.raises(StoreError) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} can't be used as the host's store: file is not a database."
    )
    assert path.read_bytes() == before


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(StoreError):
        Store(tmp_path / "link")
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        Store(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path} can't be used as the host's store: Is a directory."
    )


def test_the_living_are_told_from_those_that_are_gone(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "host.db"), Store(tmp_path / "host.db")
    assert [one.gone(one.owner), one.gone(other.owner)] == [False, False]
    other.close()
    assert [one.gone(one.owner), one.gone(other.owner)] == [False, True]
    one.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["host.db"]


def test_what_the_killed_left_of_themselves_is_swept_up(tmp_path: Path) -> None:
    left = tmp_path / "host.db-owner-0123456789abcdef"
    left.write_bytes(b"")
    Store(tmp_path / "host.db").close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["host.db"]
