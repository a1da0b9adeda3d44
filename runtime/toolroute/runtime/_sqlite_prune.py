"""Answered calls go when there are too many of them, or when they're too old.

Open calls never go. Calls go in the order of their answers, some at a time, so that no
other process waits long.
"""

import sqlite3
from typing import Final

CHUNK: Final = 1_000
"""Calls that go in one transaction."""

_BOUNDARY: Final = (
    "SELECT answered_at, serial FROM calls WHERE kind IS NOT NULL "
    "ORDER BY answered_at DESC, serial DESC LIMIT 1 OFFSET ?"
)
_DELETE: Final = (
    "DELETE FROM calls WHERE serial IN (SELECT serial FROM calls "
    "WHERE kind IS NOT NULL AND (answered_at, serial) <= (?, ?) "
    "ORDER BY answered_at, serial LIMIT ?)"
)


def prune(
    connection: sqlite3.Connection, keep: int | None, before: float | None
) -> int:
    """Drop a chunk of those beyond the `keep` newest, or answered before `before`."""
    boundary = (float("-inf"), -1)
    if keep is not None:
        boundary = connection.execute(_BOUNDARY, (keep,)).fetchone() or boundary
    if before is not None:
        boundary = max(boundary, (before, -1))
    return connection.execute(_DELETE, (*boundary, CHUNK)).rowcount
