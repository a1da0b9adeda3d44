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

from toolroute.runtime._sqlite_signals import Handlers


class Forkable(Protocol):
    """What a ledger does at a fork: `pause`, and then `go_on` in both processes."""

    def pause(self) -> None:
        """Have no connection open, and let no other thread in."""
        ...

    def bequeath(self) -> None:
        """In the child: be closed, and touch nothing that is the parent's."""
        ...

    def go_on(self) -> None:
        """Let threads in again."""
        ...


gate: Final = threading.RLock()
"""Held while a ledger opens, and by a fork: no process forks with one half open."""

_open: Final[WeakSet[Forkable]] = WeakSet()
_paused: Final[list[Forkable]] = []
_handlers: Final = Handlers()


def watch(ledger: Forkable) -> None:
    """Pause `ledger` at every fork from now on, for as long as it's in use."""
    _open.add(ledger)


def unwatch(ledger: Forkable) -> None:
    """It was closed."""
    _open.discard(ledger)


def _before() -> None:
    _handlers.hold()
    gate.acquire()
    for ledger in list(_open):
        ledger.pause()
        _paused.append(ledger)


def _after() -> None:
    with ExitStack() as last:
        last.callback(_handlers.let_go)
        last.callback(gate.release)
        while _paused:
            last.callback(_paused.pop().go_on)


def _in_child() -> None:
    for ledger in list(_open):
        ledger.bequeath()
    _open.clear()
    _after()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=_after, after_in_child=_in_child
    )
