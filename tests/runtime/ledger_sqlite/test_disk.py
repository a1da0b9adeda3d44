"""A disk that is full, or only read: a clear error, and nothing kept is lost."""

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from toolroute.runtime._answer import Answer
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]
Call = Callable[..., Opened]
Disk = Callable[[], Any]

FULL = (
    "{path} can't grow: the disk is full, or a limit on the file's size is reached. "
    "Make room; what was recorded before is safe."
)
READ_ONLY = (
    "{path} can't be written by this process. Make the file and its folder writable, "
    "or keep the ledger elsewhere."
)
TOOLS = """
def attempt(work):
    try:
        work()
    except LedgerError as error:
        return [error.kind, error.text]
    return "done"

def fill(path):
    with open(path, "wb", buffering=0) as junk:
        try:
            while True:
                junk.write(b"x" * 4096)
        except OSError as error:
            return error.strerror
"""


@pytest.fixture
def path() -> Iterator[Path]:
    """In a folder that another user can get to, which pytest's own isn't."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "calls.ledger"


@pytest.fixture
def disk(process: Callable[..., Any], path: Path) -> Disk:
    """A process to which the ledger's folder is a disk of its own, of half a megabyte.

    `$D` is its mount, of which nobody else has a view.
    """
    script = 'mount -t tmpfs -o size=512k,mode=700 tmpfs "$0" && exec "$@"'
    within = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    try:
        subprocess.run([*within, path.parent, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets nobody mount a disk of their own")

    def start() -> Any:
        one = process(*within, str(path.parent))
        one.do(TOOLS + f"path = {str(path)!r}")
        return one

    return start


@pytest.mark.parametrize("durable", ["process", "power"])
def test_a_disk_that_fills_up_refuses_the_record_and_keeps_what_was(
    path: Path, disk: Disk, durable: str
) -> None:
    host = disk()
    host.do(f"ledger = SqliteLedger(path, durable={durable!r})")
    host.do("one, two = call(ledger), call(ledger)")
    host.do("ledger.record([one], [one.number])")
    assert host.do("result = fill(path + '-junk')") == "No space left on device"
    big = "call(ledger, 'x' * 100_000)"
    assert host.do(f"result = attempt(lambda: ledger.record([{big}]))") == [
        "full",
        FULL.format(path=path),
    ]
    assert host.do("result = len(ledger.find(Wanted()))") == 1
    host.do("os.unlink(path + '-junk')")
    assert host.do("result = attempt(lambda: ledger.record([two]))") == "done"
    host.do(
        "ledger.record((), (), [(one.number, returned("
        "__import__('toolroute').ToolResult(1), ends_turn=False))])"
    )
    assert host.do("result = kinds(ledger.find(Wanted()))") == [
        ["open_valve", "returned"],
        ["open_valve", None],
    ]


def test_a_full_disk_opens_no_new_ledger_and_says_why(path: Path, disk: Disk) -> None:
    host = disk()
    host.do("result = fill(path + '-junk')")
    assert host.do("result = attempt(lambda: SqliteLedger(path))") == [
        "full",
        FULL.format(path=path),
    ]
    host.do("os.unlink(path + '-junk')")
    assert host.do("result = attempt(lambda: SqliteLedger(path).close())") == "done"


def test_a_full_disk_leaves_the_dead_for_the_next_who_opens(
    disk: Disk,
) -> None:
    host = disk()
    host.do(
        "ledger = SqliteLedger(path); "
        "ledger.record([call(ledger) for _ in range(500)]); ledger.close()"
    )
    host.do("fill(path + '-junk')")
    kind, _ = host.do("result = attempt(lambda: SqliteLedger(path))")
    assert kind == "full"
    host.do("os.unlink(path + '-junk'); ledger = SqliteLedger(path)")
    assert host.do("result = len(ledger.recovered)") == 500


def test_a_disk_that_is_only_read_is_named(path: Path, disk: Disk) -> None:
    host = disk()
    host.do("SqliteLedger(path).close()")
    remount = ["mount", "-o", "remount,ro", str(path.parent)]
    host.do(f"import subprocess; subprocess.run({remount!r}, check=True)")
    assert host.do("result = attempt(lambda: SqliteLedger(path))") == [
        "read-only",
        READ_ONLY.format(path=path),
    ]


def test_a_file_or_folder_that_may_not_be_written_is_named(
    path: Path, opened: Open, process: Callable[..., Any]
) -> None:
    opened().close()
    host = process()
    host.do(TOOLS + f"path = {str(path)!r}")
    if os.geteuid() == 0:  # who may write anything
        host.do("SqliteLedger(path).close()")  # which imports what it needs
        os.chown(path.parent, 65534, -1)
        os.chown(path, 65534, -1)
        host.do("os.setgid(65534); os.setuid(65534)")
    path.parent.chmod(0o500)
    refused = ["read-only", READ_ONLY.format(path=path)]
    try:
        assert host.do("result = attempt(lambda: SqliteLedger(path))") == refused
        new = path.with_name("new.ledger")
        assert host.do(f"result = attempt(lambda: SqliteLedger({str(new)!r}))") == [
            "read-only",
            READ_ONLY.format(path=new),
        ]
        path.parent.chmod(0o700)
        path.chmod(0o400)
        assert host.do("result = attempt(lambda: SqliteLedger(path))") == refused
    finally:
        path.parent.chmod(0o700)


def test_a_ledger_that_may_grow_no_further_refuses_and_keeps_what_was(
    said: Any, path: Path, opened: Open, call: Call, result: Callable[[Any], Answer]
) -> None:
    ledger = opened()
    one = call(ledger)
    ledger.record([one], [one.number])
    (pages,) = said(ledger, "PRAGMA page_count")
    said(ledger, f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(LedgerError) as full:
        ledger.record((), (), [(one.number, result("x" * 100_000))])
    assert (full.value.kind, full.value.text) == ("full", FULL.format(path=path))
    assert [entry.state for entry in ledger.find(Wanted())] == ["started"]
    ledger.record((), (), [(one.number, result("small"))])
    assert [entry.answer for entry in ledger.find(Wanted())] == [result("small")]


def test_a_limit_on_the_files_size_is_an_error_and_no_signal(
    path: Path, process: Callable[..., Any]
) -> None:
    host = process()
    host.do(TOOLS + f"path = {str(path)!r}; ledger = SqliteLedger(path)")
    host.do("one = call(ledger); ledger.record([one])")
    limit = (200_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    host.do(f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, {limit!r})")
    big = "call(ledger, 'x' * 300_000)"
    kind, text = host.do(f"result = attempt(lambda: ledger.record([{big}]))")
    assert kind in ("full", "io")
    assert str(path) in text
    assert host.do("result = attempt(lambda: ledger.record((), [one.number]))") == (
        "done"
    )


def test_another_process_that_writes_for_too_long_is_told_of(
    path: Path, opened: Open, call: Call, process: Callable[..., Any]
) -> None:
    ledger = opened(timeout=0.05)
    other = process()
    other.do(
        f"import sqlite3; theirs = sqlite3.connect({str(path)!r}, isolation_level=None)"
        "; theirs.execute('BEGIN IMMEDIATE')"
    )
    one = call(ledger)
    with pytest.raises(LedgerError) as busy:
        ledger.record([one])
    assert (busy.value.kind, busy.value.text) == (
        "busy",
        (
            f"{path} was held by another process for longer than this one waits. See "
            "which one keeps it, or give `timeout` more seconds."
        ),
    )
    with pytest.raises(LedgerError) as opening:
        SqliteLedger(path, timeout=0.05)
    assert opening.value.kind == "busy"
    other.do("theirs.execute('ROLLBACK')")
    ledger.record([one])
    assert [entry.opened for entry in ledger.find(Wanted())] == [one]
