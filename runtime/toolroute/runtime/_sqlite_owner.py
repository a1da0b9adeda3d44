"""Who owns an open call: whoever holds the lock of the owner that opened it.

Laws:

- Every open ledger is an owner, with a lock file of its own beside the ledger's, locked
  for as long as the ledger is open. The kernel drops the lock when the process dies,
  however it dies, and not before. That a process has an owner's id is no witness that
  it lives: ids are used again.
- It is an `flock`: a POSIX record lock goes when anything in the process closes the
  file, and doesn't keep two ledgers of one process apart.
- Locks are taken, tried and swept inside the ledger's write transaction only, so that
  two openings never meet here, and each dead owner is settled once.
- A forked child closes its copy of the lock at once, or a dead owner would seem alive
  for as long as its child lives. One that is to be another program has its copy until
  that begins, so an owner is dead, too, whose process id nobody has. It stands in the
  lock file, with the place where it counts: a start of the machine, a pid namespace.
"""

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, final

from toolroute.runtime._ledger import LedgerError
from toolroute.runtime._sqlite_boot import boot_id
from toolroute.runtime._sqlite_errors import os_error

if sys.platform != "win32":
    import fcntl

    _OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_MARK: Final = "-owner-"

_PID_NAMESPACE: Final = Path("/proc/self/ns/pid")


@final
class OwnerLock:
    """A lock file that this process holds."""

    __slots__ = ("_path", "descriptor", "owner")

    def __init__(self, path: Path, owner: str, descriptor: int) -> None:
        self._path = path
        self.descriptor = descriptor
        self.owner = owner

    def release(self) -> None:
        """Remove the file, then drop the lock; a second time changes nothing."""
        if self.descriptor >= 0:
            with contextlib.suppress(OSError):
                self._path.unlink()
        self.forget()

    def forget(self) -> None:
        """Close this process's copy: what a forked child does with its parent's."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def see_that_there_are_locks() -> None:
    """Refuse a system that tells nobody when a process has died."""
    if sys.platform == "win32":
        raise LedgerError(
            "locks",
            "This system has no file locks that a ledger could tell the living from "
            "the dead by. Keep the calls in memory, or run the host on Linux or macOS.",
        )


def take(ledger: Path) -> OwnerLock:
    """A new owner's lock; the file system is seen to keep it from others."""
    owner = secrets.token_hex(8)
    path = _lock_path(ledger, owner)
    lock, second = _try_lock(path, owner), _try_lock(path, owner)
    if lock is not None and second is None:
        os.write(lock.descriptor, f"{os.getpid()} {_place()}".encode())
        return lock
    for each in (lock, second):
        if each is not None:
            each.release()
    raise LedgerError(
        "locks",
        f"{ledger} is on a file system whose locks don't hold, so one process's calls "
        "can't be told from another's. Keep the ledger on a local disk.",
    )


def lock_of_the_dead(ledger: Path, owner: str) -> OwnerLock | None:
    """A dead owner's lock, to be released once it's settled; `None` while it lives."""
    path = _lock_path(ledger, owner)
    lock = _try_lock(path, owner)
    if lock is None and _process_is_gone(path):
        return OwnerLock(path, owner, os.open(path, _OPEN, 0o600))
    return lock


def _process_is_gone(path: Path) -> bool:
    """Whether nobody has the process id in the lock file, where that can be told."""
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:  # released since
        return False
    process, _, place = text.partition(" ")
    if place != _place() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _place() -> str | None:
    """Where a process id is one process's; `None` where nothing says so."""
    boot = boot_id()
    try:
        return boot and f"{boot} {_PID_NAMESPACE.readlink()}"
    except OSError:
        return None


def sweep(ledger: Path, known: Collection[str]) -> None:
    """Remove the lock files of owners that died before, or after, they were known."""
    for path, owner in _lock_files(ledger):
        if owner not in known:
            lock = _try_lock(path, owner)
            if lock is not None:
                lock.release()


def _lock_path(ledger: Path, owner: str) -> Path:
    return ledger.with_name(f"{ledger.name}{_MARK}{owner}")


def _lock_files(ledger: Path) -> Iterator[tuple[Path, str]]:
    """Our own user's lock files of this ledger; in a shared folder, nobody else's."""
    prefix = f"{ledger.name}{_MARK}"
    with os.scandir(ledger.parent) as entries:
        found = [entry for entry in entries if entry.name.startswith(prefix)]
    for entry in found:
        with contextlib.suppress(FileNotFoundError):  # released since
            seen = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(seen.st_mode) and seen.st_uid == os.geteuid():
                yield Path(entry.path), entry.name.removeprefix(prefix)


def _try_lock(path: Path, owner: str) -> OwnerLock | None:
    try:
        descriptor = os.open(path, _OPEN, 0o600)
    except OSError as error:
        raise os_error(error, path) from error
    try:
        os.fchmod(descriptor, 0o600)  # a umask may have taken the owner's bits
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError as error:
        os.close(descriptor)
        raise os_error(error, path) from error
    return OwnerLock(path, owner, descriptor)
