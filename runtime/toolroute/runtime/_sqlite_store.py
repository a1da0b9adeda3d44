"""The ledger's file while it is open: its connection, its transactions, its owner.

One thread at a time. What SQLite or the operating system say against the file comes out
as a `LedgerError`, and then nothing of the transaction is kept.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from os import PathLike, getpid
from typing import Final, Literal, TypeVar, final

from toolroute.runtime import _sqlite_fork as fork
from toolroute.runtime._ledger import Entry, LedgerError
from toolroute.runtime._sqlite_boot import Durable, boot_id
from toolroute.runtime._sqlite_connect import connect, look_at
from toolroute.runtime._sqlite_errors import seen, translated
from toolroute.runtime._sqlite_file import (
    check_companions,
    identity,
    make_ours,
    same_file,
    settle_path,
)
from toolroute.runtime._sqlite_owner import OwnerLock, see_that_there_are_locks, take
from toolroute.runtime._sqlite_recovery import check_pages, take_over
from toolroute.runtime._sqlite_schema import version

T = TypeVar("T")

_ENTER: Final = (
    "INSERT INTO owners (owner, pid, opened_at, boot, durable) VALUES (?, ?, ?, ?, ?)"
)
_LEAVE: Final = (
    "DELETE FROM owners WHERE owner = ? AND NOT EXISTS "
    "(SELECT 1 FROM calls WHERE owner = ? AND kind IS NULL)"
)

_left_open: Final[list[sqlite3.Connection]] = []
"""A child's copies of connections that its parent was using when it forked."""


@final
class Store:
    """An open file; `recovered` are the calls that opening it settled."""

    def __init__(
        self,
        path: PathLike[str] | str,
        durable: Durable,
        timeout: float,
        now: float,
    ) -> None:
        see_that_there_are_locks()
        self.path: Final = settle_path(path)
        self._durable: Final[Durable] = durable
        self._timeout: Final = timeout
        self._lock: Final = threading.RLock()
        self._writing: Final = threading.Lock()
        self._ended: Literal["closed", "forked"] | None = None
        self._connection: sqlite3.Connection | None = None
        with fork.gate:
            make_ours(self.path)
            self._identity: Final = identity(self.path)
            self._look()
            self._owner, self.recovered = self._enter(now)
            fork.watch(self)

    @property
    def owner(self) -> str:
        """The owner's name, which is its lock's."""
        return self._owner.owner

    @property
    def open(self) -> bool:
        """Whether this process can use it and has still to close it."""
        return self._ended is None

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """One transaction, with the file's write lock from its beginning."""
        return self.read(lambda connection: self._transact(connection, work))

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` makes of the connection, which this thread has for itself."""
        with self._lock:
            if self._ended:
                raise seen(self._ended, self.path)
            try:
                same_file(self.path, self._identity)
                if self._connection is None:
                    self._connection = connect(self.path, self._durable, self._timeout)
                return work(self._connection)
            except (sqlite3.Error, ValueError, OSError) as error:
                raise translated(error, self.path) from error

    def close(self) -> None:
        """Be an owner no more; a second time changes nothing."""
        with self._lock:
            if self._ended:
                return
            leave = (_LEAVE, (self.owner, self.owner))
            with suppress(LedgerError):
                self.write(lambda connection: connection.execute(*leave))
            self._ended = "closed"
            self._disconnect()
            self._owner.release()
        fork.unwatch(self)

    def pause(self) -> None:
        """Before a fork: have no connection, and keep other threads out."""
        self._lock.acquire()
        if not self._writing.locked():
            self._disconnect()

    def bequeath(self) -> None:
        """In the child: this is its parent's."""
        self._ended = "forked"
        self._owner.forget()
        if self._connection is not None:
            _left_open.append(self._connection)  # closing it would undo the parent's

    def go_on(self) -> None:
        """Let threads in; in the parent, the next to come connects again."""
        self._lock.release()

    def _look(self) -> None:
        try:
            look_at(self.path, self._timeout)
        except (sqlite3.Error, OSError) as error:
            raise translated(error, self.path) from error

    def _enter(self, now: float) -> tuple[OwnerLock, tuple[Entry, ...]]:
        with ExitStack() as locks, ExitStack() as undo:
            undo.callback(self._disconnect)
            self.read(self._look_through)

            def enter(
                connection: sqlite3.Connection,
            ) -> tuple[OwnerLock, tuple[Entry, ...]]:
                recovered = take_over(connection, self.path, now, locks)
                own = take(self.path)
                undo.callback(own.release)
                row = (own.owner, getpid(), now, boot_id(), self._durable)
                connection.execute(_ENTER, row)
                return own, recovered

            entered = self.write(enter)
            check_companions(self.path)
            undo.pop_all()
        return entered

    def _look_through(self, connection: sqlite3.Connection) -> None:
        if version(connection, self.path):
            check_pages(connection, self.path)

    def _transact(
        self, connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]
    ) -> T:
        if self._writing.locked():  # a signal's handler, in the middle of one
            raise seen("busy", self.path)
        with self._writing:
            if connection.in_transaction:  # a rollback was interrupted
                connection.rollback()
            try:
                connection.execute("BEGIN IMMEDIATE")
                done = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                self._roll_back(connection)
                raise
        return done

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            connection.rollback()
        if connection.in_transaction:
            self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
