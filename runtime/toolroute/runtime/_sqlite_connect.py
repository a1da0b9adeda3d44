"""A connection to the ledger's file, set up; the file is seen to be a ledger first.

A file of another application isn't written to. Where one hasn't folded its `-wal` into
its file yet, a connection that could write would do so when it's closed: such a file is
looked at by one that can't.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from toolroute.runtime._ledger import LedgerError
from toolroute.runtime._sqlite_boot import Durable
from toolroute.runtime._sqlite_errors import seen
from toolroute.runtime._sqlite_schema import version

T = TypeVar("T")

_SMALLEST: Final = 512
"""Bytes of the smallest SQLite file that isn't empty."""

_SYNCHRONOUS: Final = {"process": "NORMAL", "power": "FULL"}

_LARGEST_LEFTOVER: Final = 16_000_000
"""Bytes of `-wal` that are left standing after a checkpoint."""


def connect(ledger: Path, durable: Durable, timeout: float) -> sqlite3.Connection:
    """A connection in WAL mode, in autocommit, for any thread, one at a time."""
    connection = _open(ledger, "rw", timeout)
    try:
        _version(connection, ledger)
        _patiently(lambda: _set_up(connection, ledger, durable), timeout)
    except BaseException:
        connection.close()
        raise
    return connection


def look_at(ledger: Path, timeout: float) -> None:
    """Refuse what is no ledger, and leave it as it is, unfinished work included.

    What can't be told by only reading is told by the connection that writes.
    """
    size = ledger.stat().st_size
    if 0 < size < _SMALLEST:  # which SQLite would take for an empty one
        raise seen("foreign", ledger)
    if ledger.with_name(f"{ledger.name}-wal").exists():
        with suppress(sqlite3.Error), closing(_open(ledger, "ro", timeout)) as reading:
            _version(reading, ledger)


def _open(ledger: Path, mode: str, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{ledger.as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )


def _version(connection: sqlite3.Connection, ledger: Path) -> int:
    """As one state of the file, though others may be making it a ledger just now."""
    connection.execute("BEGIN")
    try:
        return version(connection, ledger)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _set_up(connection: sqlite3.Connection, ledger: Path, durable: Durable) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise LedgerError(
            "locks",
            f"{ledger} is on a file system that can't share memory between processes, "
            "which a ledger needs. Keep it on a local disk.",
        )
    connection.execute(f"PRAGMA synchronous = {_SYNCHRONOUS[durable]}")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: through the disk's own cache
    connection.execute("PRAGMA checkpoint_fullfsync = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_LEFTOVER}")


def _patiently(work: Callable[[], T], timeout: float) -> T:
    """Going to WAL doesn't wait for another that does the same, so this waits."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
