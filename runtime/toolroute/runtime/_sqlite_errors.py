"""What is wrong with a ledger's file: a kind for code and a sentence for people."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from toolroute.runtime._ledger import LedgerError, LedgerErrorKind

_BY_ERRNO: Final[dict[int, LedgerErrorKind]] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EROFS: "read-only",
    errno.ELOOP: "not-ours",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.ENOLCK: "locks",
    errno.EOPNOTSUPP: "locks",
}

_BY_CODE: Final[dict[int, LedgerErrorKind]] = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_PROTOCOL: "busy",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_CANTOPEN: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_FORMAT: "damaged",
    sqlite3.SQLITE_ERROR: "damaged",  # our statements are right: the schema isn't ours
    sqlite3.SQLITE_IOERR_SHORT_READ: "damaged",
    sqlite3.SQLITE_IOERR_CORRUPTFS: "damaged",
    sqlite3.SQLITE_IOERR_DATA: "damaged",
    sqlite3.SQLITE_NOTADB: "foreign",
}

_SENTENCES: Final[dict[LedgerErrorKind, str]] = {
    "missing": "{path} isn't there. Make the folder first, or name another place.",
    "closed": "{path} was closed here. Open the ledger again to record calls.",
    "forked": (
        "{path} was opened before this process was forked, and is its parent's. Open "
        "the ledger again in this process to record its calls."
    ),
    "lost": (
        "{path} has its calls settled by another process, which took this one for dead "
        "since its lock file was removed. Leave the -owner- files alone, and restart."
    ),
    "not-ours": "{path} is a symbolic link. Name the file itself.",
    "foreign": (
        "{path} isn't an SQLite file, so it's no ledger, or it's one whose beginning "
        "is damaged. Name another file, or move this one aside."
    ),
    "damaged": (
        "{path} is damaged: its pages don't fit together. Move it aside together with "
        "its -wal and -shm and start a new one; `sqlite3 FILE .recover` shows what "
        "can still be read."
    ),
    "read-only": (
        "{path} can't be written by this process. Make the file and its folder "
        "writable, or keep the ledger elsewhere."
    ),
    "full": (
        "{path} can't grow: the disk is full, or a limit on the file's size is "
        "reached. Make room; what was recorded before is safe."
    ),
    "busy": (
        "{path} was held by another process for longer than this one waits. See "
        "which one keeps it, or give `timeout` more seconds."
    ),
    "locks": (
        "{path} is on a file system without locks, so one process's calls can't be "
        "told from another's. Keep the ledger on a local disk."
    ),
    "io": "{path} couldn't be read or written: {cause}. Look at the disk it's on.",
}


def os_error(error: OSError, path: Path) -> LedgerError:
    """What the operating system said of `path`."""
    kind = _BY_ERRNO.get(error.errno or 0, "io")
    cause = os.strerror(error.errno) if error.errno else str(error)
    return LedgerError(kind, _SENTENCES[kind].format(path=path, cause=cause))


def translated(error: sqlite3.Error | ValueError | OSError, path: Path) -> LedgerError:
    """What went wrong with `path`; a ValueError is a row's that no ledger wrote."""
    if isinstance(error, OSError):
        return os_error(error, path)
    if isinstance(error, sqlite3.Error):
        return _sqlite_error(error, path)
    return seen("damaged", path)


def _sqlite_error(error: sqlite3.Error, path: Path) -> LedgerError:
    """What SQLite said of `path`; without a code, that a text in it is none."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    kind = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF, "io")
    return LedgerError(kind, _SENTENCES[kind].format(path=path, cause=error))


def seen(kind: LedgerErrorKind, path: Path) -> LedgerError:
    """What was seen of `path` without anybody saying so."""
    return LedgerError(kind, _SENTENCES[kind].format(path=path, cause="no cause given"))
