"""The two channels that need nothing but this host: kept in its store, or in a file."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast, final

from toolroute_host._system import see_that_it_runs_here
from toolroute_host.channels import Message
from toolroute_host.store import Store

see_that_it_runs_here()

APPENDED: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
)
BLOCK: Final = 1 << 16
LONGEST_LINE: Final = 2_000_000
FARTHEST: Final = 64_000_000
"""Bytes from the file's end, beyond which no message is looked for."""

NO_MESSAGE: Final = b"?"
LAST_MOMENT: Final = datetime.max.replace(tzinfo=UTC).timestamp()


@final
class LocalChannel:
    """Kept in the host's store."""

    def __init__(self, store: Store, name: str, title: str = "") -> None:
        self._store = store
        self.id: Final = name
        self.title: Final = title or name

    def append(self, message: Message) -> None:
        """Keep a message."""
        with self._store.change() as db:
            db.execute(
                "INSERT INTO channel_messages (channel, author, content, at) "
                "VALUES (?, ?, ?, ?)",
                (self.id, message.author, message.content, message.at),
            )

    def recent(self, most: int) -> list[Message]:
        """The last messages, oldest first."""
        rows = self._store.read(
            "SELECT author, content, at FROM channel_messages WHERE channel = ? "
            "ORDER BY id DESC LIMIT ?",
            self.id,
            most,
        )
        return [Message(*row) for row in reversed(rows)]


@final
class FileChannel:
    """A file that each message is appended to, as one line of JSON."""

    def __init__(self, path: Path, name: str, title: str = "") -> None:
        self._path = path
        self.id: Final = name
        self.title: Final = title or name

    def append(self, message: Message) -> None:
        """Keep a message: one write, so that two hosts' lines don't mix.

        A line that somebody began and didn't end isn't gone on with; where they're
        about to end it, an empty line is left between.
        """
        line = (json.dumps(asdict(message)) + "\n").encode()
        descriptor = self._open()
        try:
            if not _is_at_a_line(descriptor):
                line = b"\n" + line
            written = os.write(descriptor, line)
            if written != len(line):
                raise OSError(f"{self._path} took {written} of {len(line)} bytes")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def recent(self, most: int) -> list[Message]:
        """The last messages, oldest first; a line that isn't one is passed over."""
        descriptor = self._open()
        try:
            messages = filter(None, map(_message, _lines(descriptor)))
            return list(islice(messages, most))[::-1]
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        descriptor = os.open(self._path, APPENDED, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(f"{self._path} isn't an ordinary file")
        return descriptor


def _is_at_a_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def _lines(descriptor: int) -> Iterator[bytes]:
    """The file's lines from the last one back, but not all of a file without end."""
    end = os.fstat(descriptor).st_size
    stop, rest = max(0, end - FARTHEST), b""
    while end > stop:
        start = max(stop, end - BLOCK)
        rest, *lines = (os.pread(descriptor, end - start, start) + rest).split(b"\n")
        yield from reversed(lines)
        if len(rest) > LONGEST_LINE:
            rest = NO_MESSAGE
        end = start
    if not stop:
        yield rest


def _message(line: bytes) -> Message | None:
    try:
        read: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    match cast("dict[str, Any]", read):
        case {
            "author": str(author),
            "content": str(content),
            "at": int() | float() as at,
        } if not isinstance(at, bool) and 0 <= at < LAST_MOMENT:
            return Message(author, content, at)
        case _:
            return None
