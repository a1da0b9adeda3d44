"""One folder, and nothing outside it.

A path is walked a part at a time from the folder's own descriptor, and no step follows
a link, so it doesn't matter what else is renamed or relinked meanwhile: what was opened
is what was checked. Only ordinary files are read or replaced: a device or a pipe is
refused without being opened for long enough to act.
"""

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from toolroute._text import one_line
from toolroute_host._system import see_that_it_runs_here

see_that_it_runs_here()

DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FRESH: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
DEEPEST: Final = 32
LONGEST_PART: Final = 255


class PathError(Exception):
    """A path can't be used; the message says why, and starts with the path."""


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """What stands in a folder: its name, what it is, and its size if it's a file."""

    name: str
    kind: str
    size: int | None


@final
class Folder:
    """The files beneath `root`, by relative paths with `/` between their parts."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve(strict=True)
        if not self._root.is_dir():
            raise NotADirectoryError(f"{root} isn't a folder")

    def read(self, path: str, longest: int) -> bytes:
        """A file's bytes; one that holds more than `longest` isn't read at all."""
        *above, name = _parts(path)
        with (
            self._inside(path, above) as parent,
            _file(path, name, parent) as (descriptor, size),
        ):
            if size > longest:
                raise PathError(
                    f"{_shown(path)} holds {size:,} bytes, more than the {longest:,} "
                    "that are read at once"
                )
            return _all_of(descriptor, path, longest)

    def write(self, path: str, data: bytes) -> bool:
        """Put a file there, whole or not at all; whether it replaced one."""
        *above, name = _parts(path)
        with self._inside(path, above, make=True) as parent:
            replaced = _may_replace(path, name, parent)
            _replace(path, name, parent, data)
            return replaced

    def delete(self, path: str) -> None:
        """Take a file away."""
        *above, name = _parts(path)
        with self._inside(path, above) as parent:
            if not _may_replace(path, name, parent):
                raise PathError(f"{_shown(path)} isn't there")
            with _in_words(path):
                os.unlink(name, dir_fd=parent)

    def entries(self, path: str, most: int) -> tuple[list[Entry], bool]:
        """What stands in a folder, by name, at most so many; whether that was all."""
        parts = _parts(path) if path not in {"", "."} else []
        with self._inside(path, parts) as fd, _in_words(path):
            names = sorted(os.listdir(fd))  # noqa: PTH208  (a Path holds no descriptor)
            entries = (_entry(name, fd) for name in names[:most])
            return [entry for entry in entries if entry], len(names) <= most

    @contextmanager
    def _inside(
        self, path: str, parts: list[str], *, make: bool = False
    ) -> Generator[int]:
        """The descriptor of the folder that these parts lead to."""
        with _in_words(path):
            here = os.open(self._root, DIRECTORY)
        try:
            for part in parts:
                with _in_words(path):
                    below = _step(here, part, make=make)
                os.close(here)
                here = below
            yield here
        finally:
            os.close(here)


def _parts(path: str) -> list[str]:
    """The parts of a path that names something in the folder, in words when not."""
    if not path:
        raise PathError("an empty path names no file")
    if path.startswith("/"):
        raise PathError(f"{_shown(path)} must be relative to the folder")
    if not path.isprintable() or "\\" in path:
        raise PathError(f"{_shown(path)} holds a character that no file here has")
    parts = path.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        raise PathError(f"{_shown(path)} must be plain names with `/` between them")
    if len(parts) > DEEPEST:
        raise PathError(f"{_shown(path)} goes deeper than {DEEPEST} folders")
    if any(len(os.fsencode(part)) > LONGEST_PART for part in parts):
        raise PathError(f"{_shown(path)} holds a name of over {LONGEST_PART} bytes")
    return parts


def _step(here: int, part: str, *, make: bool) -> int:
    try:
        return os.open(part, DIRECTORY, dir_fd=here)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(part, 0o755, dir_fd=here)
    return os.open(part, DIRECTORY, dir_fd=here)


@contextmanager
def _file(path: str, name: str, parent: int) -> Generator[tuple[int, int]]:
    """An ordinary file's descriptor and size."""
    with _in_words(path):
        _ordinary(path, os.stat(name, dir_fd=parent, follow_symlinks=False))
        descriptor = os.open(name, FILE, dir_fd=parent)
    try:
        found = os.fstat(descriptor)
        _ordinary(path, found)
        if found.st_nlink > 1:
            raise PathError(
                f"{_shown(path)} is also a file of another name (a hard link), which "
                "may stand outside, so it isn't read"
            )
        yield descriptor, found.st_size
    finally:
        os.close(descriptor)


def _all_of(descriptor: int, path: str, longest: int) -> bytes:
    read = bytearray()
    with _in_words(path):
        while piece := os.read(descriptor, 1 << 16):
            read += piece
            if len(read) > longest:
                raise PathError(f"{_shown(path)} grew while it was read")
    return bytes(read)


def _may_replace(path: str, name: str, parent: int) -> bool:
    """Whether a file is there; what is there and isn't one is refused."""
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _words(path, error) from error
    _ordinary(path, found)
    return True


def _replace(path: str, name: str, parent: int, data: bytes) -> None:
    """Write beside it, then rename: a reader sees the old file or the new one."""
    beside = f".{secrets.token_hex(8)}.part"
    with _in_words(path):
        descriptor = os.open(beside, FRESH, 0o644, dir_fd=parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=parent)
            raise


def _ordinary(path: str, found: os.stat_result) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    if stat.S_ISDIR(found.st_mode):
        raise PathError(f"{_shown(path)} is a folder, not a file")
    if stat.S_ISLNK(found.st_mode):
        raise PathError(f"{_shown(path)} is a link, and links aren't followed")
    raise PathError(f"{_shown(path)} isn't an ordinary file")


def _entry(name: str, parent: int) -> Entry | None:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None  # gone since it was listed
    shown = one_line(os.fsencode(name).decode("utf-8", "backslashreplace"))
    if stat.S_ISREG(found.st_mode):
        return Entry(shown, "file", found.st_size)
    return Entry(shown, "folder" if stat.S_ISDIR(found.st_mode) else "other", None)


@contextmanager
def _in_words(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise _words(path, error) from error


def _words(path: str, error: OSError) -> PathError:
    match error:
        case FileNotFoundError():
            return PathError(f"{_shown(path)} isn't there")
        case NotADirectoryError():
            return PathError(f"{_shown(path)} goes through what isn't a folder")
        case OSError(errno=errno.ELOOP):
            return PathError(f"{_shown(path)} is a link, and links aren't followed")
        case _:
            reason = (error.strerror or "the system refused it").lower()
            return PathError(f"{_shown(path)} can't be used: {reason}")


def _shown(path: str) -> str:
    return one_line(path)
