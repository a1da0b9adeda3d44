from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

from toolroute_host.store import Store

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970, by the wall clock: they mean the same after a restart."""


class Kept:
    """A part of the host that keeps what it knows in the store."""

    def __init__(self, store: Store, now: Clock) -> None:
        self._store = store
        self._now = now


def moment(at: float) -> str:
    """A time as answers show it: UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
