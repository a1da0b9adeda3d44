"""The ledger's file on disk: made owner-only, and nobody else's.

A file that stands there already must be a regular file of this user's; a symlink, or
somebody else's file, is refused before SQLite touches it. What grants others access is
made owner-only. SQLite gives `-wal` and `-shm` the ledger's own mode, but would take
over ones that stand there already, so those are looked at before and after.
"""

import os
import stat
from pathlib import Path
from typing import Final

from toolroute.runtime._ledger import LedgerError
from toolroute.runtime._sqlite_errors import os_error

_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
COMPANIONS: Final = ("-wal", "-shm", "-journal")


def settle_path(path: os.PathLike[str] | str) -> Path:
    """One absolute path, folders resolved, so that all owners' locks stand together."""
    given = Path(os.path.abspath(os.fspath(path)))  # noqa: PTH100 — resolves no link
    try:
        return given.parent.resolve(strict=True) / given.name
    except OSError as error:
        raise os_error(error, given.parent) from error


def make_ours(ledger: Path) -> None:
    """Create the file, or see that it's ours; its companions too."""
    try:
        descriptor = os.open(ledger, _NEW, 0o600)
    except FileExistsError:
        check_ours(ledger)
    except OSError as error:
        raise os_error(error, ledger) from error
    else:
        os.fchmod(descriptor, 0o600)  # a umask may have taken the owner's bits
        os.close(descriptor)
        _keep_the_name(ledger.parent)
    check_companions(ledger)


def _keep_the_name(folder: Path) -> None:
    """A file's name is its folder's, and is lost with the power till that is synced."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise os_error(error, folder) from error


def check_companions(ledger: Path) -> None:
    """See that what SQLite keeps beside the file is ours."""
    for suffix in COMPANIONS:
        check_ours(ledger.with_name(ledger.name + suffix))


def check_ours(path: Path) -> None:
    """A regular file of this user's, and made readable by no other; or not there."""
    try:
        seen = path.lstat()
        if not stat.S_ISREG(seen.st_mode):
            raise LedgerError("not-ours", _not_a_file(path, seen.st_mode))
        if seen.st_uid != os.geteuid():
            raise LedgerError(
                "not-ours",
                f"{path} belongs to user {seen.st_uid} and this process runs as "
                f"{os.geteuid()}. A ledger holds tools' inputs and results, so it's "
                "kept in a file of one's own: name another, or change its owner.",
            )
        if seen.st_mode & _OTHERS:
            path.chmod(stat.S_IMODE(seen.st_mode) & ~_OTHERS)
    except FileNotFoundError:
        return
    except OSError as error:
        raise os_error(error, path) from error


def _not_a_file(path: Path, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return (
            f"{path} is a symbolic link. The ledger is opened where it lies and "
            f"nowhere else: name {os.path.realpath(path)} if that's the one."
        )
    what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
    return f"{path} is {what}. Name a file for the ledger."


def identity(ledger: Path) -> tuple[int, int]:
    """Which file stands at the path."""
    try:
        found = os.stat(ledger)  # noqa: PTH116 — a tenth of what a Path's own takes
    except OSError as error:
        raise os_error(error, ledger) from error
    return found.st_dev, found.st_ino


def same_file(ledger: Path, opened: tuple[int, int]) -> None:
    """See that it's still the file that was opened; SQLite would write to the old one.

    It would do so without a word, and nothing of it would be found again.
    """
    try:
        if identity(ledger) == opened:
            return
    except LedgerError as error:
        if error.kind != "missing":
            raise
    raise LedgerError(
        "missing",
        f"{ledger} was removed or replaced while it was open here, so nothing more can "
        "be recorded. Put it back and restart, or restart with a new one.",
    )
