"""What a server's process writes to its standard error: read, and its end kept.

It goes to no terminal, where it could flood or steer; what's left of it is told when
the server doesn't connect.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final, TextIO, final

__all__ = ["StdErr"]

KEPT: Final = 2_000
"""Bytes of its end."""


@final
class StdErr(asyncio.Protocol):
    """The end of what a process writes there."""

    def __init__(self) -> None:
        self._end = b""

    def data_received(self, data: bytes) -> None:
        """Keep the end, and let the rest go."""
        self._end = (self._end + data)[-KEPT:]

    def last(self) -> str:
        """The last line that says something."""
        lines = self._end.decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[TextIO]:
        """The file to write to, for as long as this lasts."""
        ours, theirs = os.pipe()
        with os.fdopen(theirs, "w") as file:
            loop = asyncio.get_running_loop()
            reading, _ = await loop.connect_read_pipe(
                lambda: self, os.fdopen(ours, "rb", buffering=0)
            )
            try:
                yield file
            finally:
                reading.close()
