"""The files that the command reads and writes, and none by surprise."""

import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, TextIO, cast, final

from toolroute._text import one_line

BOM: Final = b"\xef\xbb\xbf"
STANDARD: Final = "-"
"""The name for standard input and output."""


@final
class Unusable(Exception):  # noqa: N818
    """A file or an option that can't be used; the sentence says what to do."""


@final
@dataclass(frozen=True, slots=True)
class Source:
    """What was read, and the file as it was then (None of standard input)."""

    name: str
    data: bytes
    status: os.stat_result | None

    def text(self) -> str:
        """The bytes as text, without a byte order mark."""
        try:
            return self.data.removeprefix(BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            at = error.start + (len(BOM) if self.data.startswith(BOM) else 0)
            raise Unusable(
                f"{shown(self.name)} isn't UTF-8 (byte {at + 1} can't be read as it): "
                "save it as UTF-8, and try again."
            ) from None

    def encode(self, text: str) -> bytes:
        """The text as the file had it: with its byte order mark, if it had one."""
        bom = BOM if self.data.startswith(BOM) else b""
        return bom + text.encode("utf-8")


def shown(name: str) -> str:
    """How messages name a file."""
    return "standard input" if name == STANDARD else one_line(name, 300)


def read(name: str, largest: int) -> Source:
    """The whole file, if it's at most `largest` bytes. Raises `Unusable`."""
    if name == STANDARD:
        if (stdin := cast("TextIO | None", sys.stdin)) is None:
            raise Unusable("standard input is closed, and so can't be read.")
        with _sentences("read", name):
            return Source(name, _bounded(stdin.buffer, name, largest), None)
    with _sentences("read", name), Path(name).open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return Source(name, _bounded(file, name, largest), None)
        return Source(name, _bounded(file, name, largest), status)


def _bounded(file: BinaryIO, name: str, largest: int) -> bytes:
    data = file.read(largest + 1)
    if len(data) > largest:
        raise Unusable(
            f"{shown(name)} is larger than {largest / 1_000_000:g} MB, and so isn't "
            "read: raise the limit with --max-size MB."
        )
    return data


@contextmanager
def _sentences(what: str, name: str) -> Generator[None]:
    try:
        yield
    except FileNotFoundError:
        why = "there is no such file" if what == "read" else "there is no such folder"
    except IsADirectoryError:
        why = "it's a folder, and a file is wanted"
    except PermissionError:
        why = f"this user may not {what} it"
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
    else:
        return
    raise Unusable(f"{shown(name)} can't be {_DONE[what]}: {why}.") from None


_DONE: Final = {"read": "read", "write": "written"}


def check_in_place(name: str) -> None:
    """That a file may be replaced: no link, no device. Raises `Unusable`."""
    if name == STANDARD:
        raise Unusable("--in-place needs a file: standard input can't be replaced.")
    with _sentences("read", name):
        mode = Path(name).lstat().st_mode
    _no_link(name, mode, "--in-place")


def check_output(name: str, source: str) -> None:
    """That `-o` names something that may be written. Raises `Unusable`."""
    path = Path(name)
    with _sentences("write", name):
        if not os.path.lexists(path):
            return
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
    _no_link(name, mode, "-o")
    if os.path.lexists(source) and path.samefile(source):
        raise Unusable(
            f"-o names the file that is read, {shown(name)}: to replace it, "
            "and keep a backup, use --in-place."
        )


def _no_link(name: str, mode: int, option: str) -> None:
    if stat.S_ISLNK(mode):
        raise Unusable(
            f"{shown(name)} is a symbolic link, and {option} doesn't write through "
            "one: name the file that it points to."
        )
    if not stat.S_ISREG(mode):
        raise Unusable(f"{shown(name)} isn't a regular file, so {option} leaves it.")


def replace(source: Source, data: bytes) -> Path:
    """Put `data` in the place of what was read. Returns the backup's path."""
    path = Path(source.name)
    with _sentences("write", source.name):
        status = path.lstat()
        if source.status is None or not _is_as_read(status, source.status):
            raise Unusable(
                f"{shown(source.name)} was changed by somebody else while it was being "
                "settled, so nothing was written: try again."
            )
        backup = _backup(path, source.data, source.status)
        _write_new(path, data, source.status)
    return backup


def _is_as_read(now: os.stat_result, then: os.stat_result) -> bool:
    def facts(status: os.stat_result) -> tuple[int, ...]:
        inode = (status.st_dev, status.st_ino)
        return (*inode, status.st_size, status.st_mtime_ns)

    return facts(now) == facts(then)


def _backup(path: Path, data: bytes, status: os.stat_result) -> Path:
    """A copy beside the file, under a name that nothing has yet."""
    backup = _create(path, lambda n: f"{path.name}.bak{n or ''}", data)
    backup.chmod(stat.S_IMODE(status.st_mode))
    with suppress(OSError):
        os.utime(backup, ns=(status.st_atime_ns, status.st_mtime_ns))
    return backup


def _create(path: Path, name: Callable[[int], str], data: bytes) -> Path:
    """A new file beside the path, whole and on disk, or none."""
    for number in count():
        made = path.with_name(name(number))
        try:
            descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            made.unlink()
            raise
        return made
    raise AssertionError("counting has no end")


def write(name: str, data: bytes) -> None:
    """Write `-o`'s file: all of it, or nothing. One that was there keeps its mode."""
    path = Path(name)
    with _sentences("write", name):
        status = path.stat() if path.exists() else None
        _write_new(path, data, status)


def _write_new(path: Path, data: bytes, like: os.stat_result | None) -> None:
    """A new file that takes the path's place in one step."""
    made = _create(path, lambda n: f".{path.name}.{os.getpid()}.{n}", data)
    try:
        _same_mode(made, like)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _same_mode(made: Path, like: os.stat_result | None) -> None:
    if like is None:
        mask = os.umask(0)
        os.umask(mask)
        made.chmod(0o666 & ~mask)
        return
    with suppress(OSError):
        os.chown(made, like.st_uid, like.st_gid)
    made.chmod(stat.S_IMODE(like.st_mode))
