"""Opening a ledger settles the calls of owners that are dead, and nobody else's.

It is part of the write transaction in which the opener becomes an owner itself, and a
dead owner's lock is held until it is over: so a call is settled once, however many open
the ledger at once, and a crash in the middle has settled nothing.
"""

import sqlite3
from contextlib import ExitStack
from operator import itemgetter
from pathlib import Path
from typing import Final

from toolroute.runtime._answer import NotExecuted, OutcomeUnknown, to_text
from toolroute.runtime._ledger import Entry
from toolroute.runtime._sqlite_errors import seen
from toolroute.runtime._sqlite_owner import lock_of_the_dead, sweep
from toolroute.runtime._sqlite_rows import ANSWER, SELECT, Row, entry

_OWNERS: Final = (
    "SELECT owner FROM owners UNION SELECT owner FROM calls WHERE kind IS NULL"
)
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


def settle_the_dead(
    connection: sqlite3.Connection, ledger: Path, now: float, locks: ExitStack
) -> tuple[Entry, ...]:
    """Answer what they left open, and forget them; what was settled, oldest first.

    `locks` keeps the dead owners' locks until after the transaction.
    """
    known = [owner for (owner,) in connection.execute(_OWNERS)]
    settled: list[tuple[int, Entry]] = []
    for owner in known:
        lock = lock_of_the_dead(ledger, owner)
        if lock is not None:
            locks.callback(lock.release)
            rows = connection.execute(_UNANSWERED, (owner,)).fetchall()
            settled += [(row[0], _settle(connection, row, now)) for row in rows]
            connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))
    sweep(ledger, known)
    settled.sort(key=itemgetter(0))
    return tuple(one for _, one in settled)


def _settle(connection: sqlite3.Connection, row: Row, now: float) -> Entry:
    left = entry(row)
    name = left.opened.call.name
    answer = OutcomeUnknown(name) if left.started else NotExecuted(name)
    connection.execute(ANSWER, (now, answer.kind, to_text(answer), row[0]))
    return left._replace(kind=answer.kind, answer=answer)
