"""What the host keeps over a restart: one SQLite file, or memory when there's no file.

Nothing is cached: another process may hold the same file open, so every question is
asked of the file. A change is one transaction, and is there after the process dies.
Each opening has a name, its `owner`, and a lock file that is held while it's open: so
what the dead left is told from what the living are doing.
"""

import os
import sqlite3
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, final

from toolroute.runtime._sqlite_owner import (
    OwnerLock,
    lock_of_the_dead,
    see_that_there_are_locks,
    sweep,
    take,
)
from toolroute_host._schema import MIGRATIONS

__all__ = ["Store", "StoreError"]

OURS: Final = 0x70C4051
"""SQLite's `application_id` of a host's store."""

PATIENCE: Final = 5.0
"""Seconds to wait for another process's transaction."""


@final
class StoreError(Exception):
    """The file can't be the host's store; the message says why and what to do."""


@final
class Store:
    """A host's own file; `None` keeps everything in memory, for as long as it lives."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._life: OwnerLock | None = None
        self._unshared: Final = token_hex(8)
        if path is not None:
            see_that_there_are_locks()
            _create_owner_only(path)
        try:
            self._db = _connect(path)
        except sqlite3.Error as error:
            raise _unreadable(path, error) from error
        try:
            self._prepare(path)
        except sqlite3.Error as error:
            self.close()
            raise _unreadable(path, error) from error
        except BaseException:
            self.close()
            raise

    @property
    def owner(self) -> str:
        """The name of this opening of the file; no other ever has it."""
        return self._unshared if self._life is None else self._life.owner

    def read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows that a question gets."""
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def change(self) -> Generator[sqlite3.Connection]:
        """One transaction: all of what is done in it is kept, or nothing."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def gone(self, owner: str) -> bool:
        """Whether who had the file open under this name is dead, or has closed it."""
        if self._path is None or owner == self.owner:
            return False
        with self.change():  # so that nobody takes a lock meanwhile
            lock = lock_of_the_dead(self._path, owner)
            if lock is not None:
                lock.release()
            return lock is not None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._life is not None:
                self._life.release()
            self._db.close()

    def _prepare(self, path: Path | None) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self.change():
            version = self._version(path)
            for number, statements in enumerate(MIGRATIONS, start=1):
                if number > version:
                    for statement in statements:
                        self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {OURS}")
            self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            if path is not None:
                self._life = take(path)
                sweep(path, ())

    def _version(self, path: Path | None) -> int:
        ((owner,),) = self._db.execute("PRAGMA application_id").fetchall()
        ((version,),) = self._db.execute("PRAGMA user_version").fetchall()
        ((tables,),) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchall()
        if owner != OURS and (owner or version or tables):
            raise StoreError(
                f"{path} is another program's database, so it was left as it is. "
                "Name a file that isn't there yet."
            )
        if version > len(MIGRATIONS):
            raise StoreError(
                f"{path} was written by a newer host (its format is {version}, this "
                f"one knows up to {len(MIGRATIONS)}). Upgrade toolroute."
            )
        return int(version)


def _connect(path: Path | None) -> sqlite3.Connection:
    return sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )


def _create_owner_only(path: Path) -> None:
    """Make the file readable by its owner alone before SQLite sees it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise _unreadable(path, error) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StoreError(f"{path} isn't a file. Name one for the host's store.")
    finally:
        os.close(descriptor)


def _unreadable(path: Path | None, error: Exception) -> StoreError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return StoreError(f"{path} can't be used as the host's store: {reason}.")
