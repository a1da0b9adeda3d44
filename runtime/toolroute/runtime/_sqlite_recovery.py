"""Opening a ledger settles the calls of owners that are dead, and nobody else's.

It is part of the write transaction in which the opener becomes an owner itself, and a
dead owner's lock is held until it is over: so a call is settled once, however many open
the ledger at once, and a crash in the middle has settled nothing.

A call is not executed where the record is whole and has no start of it, else unknown.
"""

import sqlite3
from contextlib import ExitStack
from operator import itemgetter
from pathlib import Path
from typing import Final

from toolroute.runtime._answer import NotExecuted, OutcomeUnknown, to_text
from toolroute.runtime._ledger import Entry
from toolroute.runtime._sqlite_boot import boot_id, is_whole
from toolroute.runtime._sqlite_errors import seen
from toolroute.runtime._sqlite_owner import lock_of_the_dead, sweep
from toolroute.runtime._sqlite_rows import ANSWER, SELECT, Row, entry
from toolroute.runtime._sqlite_schema import migrate, version

_OWNERS: Final = (
    "SELECT owner FROM owners UNION SELECT owner FROM calls WHERE kind IS NULL"
)
_RECORD_OF: Final = "SELECT durable, boot FROM owners WHERE owner = ?"
_UNANSWERED: Final = f"{SELECT} WHERE owner = ? AND kind IS NULL"

_LARGEST_CHECKED: Final = 64_000_000


def check_pages(connection: sqlite3.Connection, ledger: Path) -> None:
    """Before a file decides what became of anybody's calls, see that it holds together.

    Only where somebody may have died; and not a large file, which would take long.
    """
    owners = connection.execute("SELECT count(*) FROM owners").fetchone()[0]
    if owners and ledger.stat().st_size <= _LARGEST_CHECKED:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise seen("damaged", ledger)


def take_over(
    connection: sqlite3.Connection, ledger: Path, now: float, locks: ExitStack
) -> tuple[Entry, ...]:
    """Bring the tables up to date, then answer what the dead left open: this, in order.

    `locks` keeps the dead owners' locks until the transaction is over.
    """
    found = version(connection, ledger)
    known = [owner for (owner,) in connection.execute(_OWNERS)] if found else []
    dead = [owner for owner in known if _holds(ledger, owner, locks)]
    sweep(ledger, known)
    migrate(connection, ledger, found, alone=dead == known)
    settled = [each for owner in dead for each in _settle(connection, owner, now)]
    settled.sort(key=itemgetter(0))
    return tuple(one for _, one in settled)


def _holds(ledger: Path, owner: str, locks: ExitStack) -> bool:
    lock = lock_of_the_dead(ledger, owner)
    if lock is not None:
        locks.callback(lock.release)
    return lock is not None


def _settle(
    connection: sqlite3.Connection, owner: str, now: float
) -> list[tuple[int, Entry]]:
    """A dead owner's calls, answered, each with its serial; the owner is forgotten."""
    record = connection.execute(_RECORD_OF, (owner,)).fetchone()
    durable, boot = record or (None, None)
    whole = is_whole(durable, boot, boot_id())
    rows = connection.execute(_UNANSWERED, (owner,)).fetchall()
    settled = [(row[0], _answered(entry(row), whole=whole)) for row in rows]
    connection.executemany(ANSWER, [_end(now, *each) for each in settled])
    connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))
    return settled


def _answered(left: Entry, *, whole: bool) -> Entry:
    name = left.opened.call.name
    never = whole and not left.started
    answer = NotExecuted(name) if never else OutcomeUnknown(name)
    return left._replace(kind=answer.kind, answer=answer)


def _end(now: float, serial: int, settled: Entry) -> Row:
    text = None if settled.answer is None else to_text(settled.answer)
    return now, settled.kind, text, serial
