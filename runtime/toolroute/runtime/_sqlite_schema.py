"""The tables, and the way from every version of them to the newest.

`application_id` marks the file as a ledger, `user_version` is the version of its
tables. A version is never edited: a change is a new entry of `VERSIONS`, and a file of
an earlier one that was really written by it is a fixture of the tests.

`serial` is the order of opening over all owners. A call has its answer where `kind`
isn't null; where `answer` is null then, its content wasn't kept.
"""

import sqlite3
from pathlib import Path
from typing import Final

from toolroute.runtime._ledger import LedgerError

APPLICATION_ID: Final = 0x54526C67
"""`TRlg`, the four bytes at offset 68 of the file."""

_VERSION_1: Final = (
    """CREATE TABLE owners (
        owner TEXT PRIMARY KEY NOT NULL,
        pid INTEGER NOT NULL,
        opened_at REAL NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE calls (
        serial INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        number INTEGER NOT NULL,
        "key" TEXT NOT NULL,
        road TEXT NOT NULL,
        caller TEXT NOT NULL,
        agent TEXT,
        module TEXT,
        turn TEXT,
        round INTEGER,
        place INTEGER NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        input TEXT,
        opened_at REAL NOT NULL,
        started_at REAL,
        answered_at REAL,
        kind TEXT,
        answer TEXT
    )""",
    "CREATE INDEX calls_unanswered ON calls (owner) WHERE kind IS NULL",
    "CREATE INDEX calls_answered ON calls (answered_at) WHERE kind IS NOT NULL",
    "CREATE INDEX calls_by_id ON calls (id)",
    "CREATE INDEX calls_by_turn ON calls (turn) WHERE turn IS NOT NULL",
)

_VERSION_2: Final = (
    "ALTER TABLE owners ADD COLUMN boot TEXT",
    "ALTER TABLE owners ADD COLUMN durable TEXT NOT NULL DEFAULT 'process'",
    "DROP INDEX calls_by_turn",
    "DROP INDEX calls_answered",
)

VERSIONS: Final = (_VERSION_1, _VERSION_2)
"""What each version adds to the one before."""

NEWEST: Final = len(VERSIONS)


def version(connection: sqlite3.Connection, ledger: Path) -> int:
    """The version of the file's tables, 0 for a file without any; or it's no ledger."""
    # What is ours is seen last: another process may be making the ledger meanwhile.
    tables = _number(connection, "SELECT count(*) FROM sqlite_master")
    found = _number(connection, "PRAGMA user_version")
    application = _number(connection, "PRAGMA application_id")
    if application == APPLICATION_ID and found <= NEWEST:
        return found
    if application == APPLICATION_ID:
        raise LedgerError(
            "newer",
            f"{ledger} was written by a newer toolroute: its tables are version "
            f"{found}, and this one reads up to {NEWEST}. Upgrade toolroute.",
        )
    if application or found or tables:
        raise LedgerError(
            "foreign",
            f"{ledger} is the database of another application, and was left as it is. "
            "Name another file for the ledger.",
        )
    return 0


def migrate(
    connection: sqlite3.Connection, ledger: Path, found: int, *, alone: bool
) -> None:
    """From version `found` to the newest, if `alone`; in the caller's transaction."""
    if found == NEWEST:
        return
    if not alone:
        raise LedgerError(
            "in-use",
            f"{ledger} is open in a process with an earlier toolroute, whose tables "
            f"are version {found}; this one's are {NEWEST}. Stop that one first.",
        )
    for statements in VERSIONS[found:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {NEWEST}")


def _number(connection: sqlite3.Connection, question: str) -> int:
    (answer,) = connection.execute(question).fetchone()
    return int(answer)
