"""A process that forks while a ledger is open.

SQLite's connections don't survive a fork: its locks stay behind, and the child believes
it has them. So none is open while a process forks: every ledger is paused before, and
goes on in the parent after. In the child it is at its end, and the parent's calls stay
the parent's; the child opens a ledger of its own.
"""

import os
import threading
from contextlib import ExitStack
from typing import Final, Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """What a ledger does at a fork; `pause` comes before either of the others."""

    def pause(self) -> None:
        """Have no connection open, and let no other thread in."""
        ...

    def go_on(self) -> None:
        """In the parent: let threads in again."""
        ...

    def bequeath(self) -> None:
        """In the child: be closed, and touch nothing that is the parent's."""
        ...


gate: Final = threading.RLock()
"""Held while a ledger opens, and by a fork: no process forks with one half open."""

_open: Final[WeakSet[Forkable]] = WeakSet()
_paused: Final[list[Forkable]] = []


def watch(ledger: Forkable) -> None:
    """Pause `ledger` at every fork from now on, for as long as it's in use."""
    _open.add(ledger)


def unwatch(ledger: Forkable) -> None:
    """It was closed."""
    _open.discard(ledger)


def _before() -> None:
    gate.acquire()
    for ledger in list(_open):
        ledger.pause()
        _paused.append(ledger)


def _in_parent() -> None:
    with ExitStack() as last:
        last.callback(gate.release)
        while _paused:
            last.callback(_paused.pop().go_on)


def _in_child() -> None:
    with ExitStack() as last:
        last.callback(gate.release)
        while _paused:
            last.callback(_paused.pop().bequeath)
        _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=_in_parent, after_in_child=_in_child
    )
