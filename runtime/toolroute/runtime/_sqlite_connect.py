"""A connection to the ledger's file, set up; the file is seen to be a ledger first.

A file of another application isn't written to, not by as much as a `-wal` beside it: it
is looked at through a read-only connection before anything else.
"""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from toolroute.runtime._ledger import LedgerError
from toolroute.runtime._sqlite_boot import Durable
from toolroute.runtime._sqlite_schema import version

T = TypeVar("T")

_UNSURE: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
"""What a read-only connection says of a file that was left in the middle of a write."""

_SYNCHRONOUS: Final = {"process": "NORMAL", "power": "FULL"}

_LARGEST_LEFTOVER: Final = 16_000_000
"""Bytes of `-wal` that are left standing after a checkpoint."""


def connect(ledger: Path, durable: Durable, timeout: float) -> sqlite3.Connection:
    """A connection in WAL mode, in autocommit, for any thread, one at a time."""
    connection = _open(ledger, "rw", timeout)
    try:
        _see_that_it_is_ours(connection, ledger)
        _patiently(lambda: _set_up(connection, ledger, durable), timeout)
    except BaseException:
        connection.close()
        raise
    return connection


def look_at(ledger: Path, timeout: float) -> None:
    """Refuse what is no ledger, and leave it as it is."""
    connection = _open(ledger, "ro", timeout)
    try:
        _see_that_it_is_ours(connection, ledger)
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF not in _UNSURE:
            raise
    finally:
        connection.close()


def _open(ledger: Path, mode: str, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{ledger.as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )


def _see_that_it_is_ours(connection: sqlite3.Connection, ledger: Path) -> None:
    connection.execute("BEGIN")
    try:
        version(connection, ledger)
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
