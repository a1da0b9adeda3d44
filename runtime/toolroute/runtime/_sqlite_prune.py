"""Answered calls go when too many came after them, or when they're too old.

Open calls never go. Serials follow each other, so how many came after one is known from
its serial alone; and a call is answered after it's opened, so behind the first that was
opened lately nothing is old. No index has to be kept for any of it.
"""

import sqlite3
from typing import Final

CHUNK: Final = 1_000
"""Calls that go in one transaction, so that no other process waits long."""

_NEWEST: Final = "SELECT coalesce(max(serial), 0) FROM calls"
_FIRST_SINCE: Final = (
    "SELECT serial FROM calls WHERE serial > ? AND opened_at >= ? "
    "ORDER BY serial LIMIT 1"
)
_DELETE: Final = (
    "DELETE FROM calls WHERE serial IN (SELECT serial FROM calls "
    "WHERE serial > ? AND serial <= ? AND kind IS NOT NULL "
    "AND (serial <= ? OR answered_at < ?) ORDER BY serial LIMIT ?)"
)


def prune(
    connection: sqlite3.Connection, keep: int | None, before: float | None, after: int
) -> tuple[int, int]:
    """Drop a chunk of those behind serial `after`; how many, and where to go on.

    They are beyond the `keep` newest calls, or were answered before `before`. The very
    newest stays: serials go on from it.
    """
    (newest,) = connection.execute(_NEWEST).fetchone()
    beyond = old = 0
    if keep is not None:
        beyond = max(newest - max(keep, 1), 0)
    if before is not None:
        since = connection.execute(_FIRST_SINCE, (after, before)).fetchone()
        old = (newest if since is None else since[0]) - 1
    limits = (after, max(beyond, old), beyond, before, CHUNK)
    dropped = connection.execute(_DELETE, limits).rowcount
    return dropped, after if dropped == CHUNK else beyond
