"""The two channels that need nothing but this host: kept in its store, or in a file."""

import json
import os
import stat
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast, final

from toolroute_host.channels import Message
from toolroute_host.store import Store

APPENDED: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
)


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
        """Keep a message: one write, so that two hosts' lines don't mix."""
        line = (json.dumps(asdict(message)) + "\n").encode()
        descriptor = self._open()
        try:
            written = os.write(descriptor, line)
            if written != len(line):
                raise OSError(f"{self._path} took {written} of {len(line)} bytes")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def recent(self, most: int) -> list[Message]:
        """The last messages, oldest first; a line that isn't one is passed over."""
        with os.fdopen(self._open(), "rb") as file:
            lines = deque(file, maxlen=most)
        return [message for message in map(_message, lines) if message is not None]

    def _open(self) -> int:
        descriptor = os.open(self._path, APPENDED, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(f"{self._path} isn't an ordinary file")
        return descriptor


def _message(line: bytes) -> Message | None:
    try:
        read: object = json.loads(line)
    except ValueError:
        return None
    if not isinstance(read, dict):
        return None
    match cast("dict[str, Any]", read):
        case {
            "author": str(author),
            "content": str(content),
            "at": int() | float() as at,
        }:
            return Message(author, content, at)
        case _:
            return None
