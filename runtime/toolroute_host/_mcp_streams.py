"""An MCP client's streams, watched: whether a call left, and when the server is gone.

Without these two a call that nobody took looks like one that may have taken effect.
"""

from asyncio import Event
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self, final

import anyio
from mcp.client._transport import ReadStream, Transport, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage

from toolroute_host._mcp_sending import SENDING

__all__ = ["watched", "watched_pipe"]


@asynccontextmanager
async def watched(
    transport: Transport, over: Event
) -> AsyncGenerator[TransportStreams]:
    """The transport's streams; `over` is set once nothing more comes over them."""
    async with transport as (reads, writes):
        yield _Reads(reads, over), writes


@asynccontextmanager
async def watched_pipe(
    transport: Transport, over: Event
) -> AsyncGenerator[TransportStreams]:
    """As `watched`, where what is written goes straight to a process."""
    async with watched(transport, over) as (reads, writes):
        yield reads, _Writes(writes)


@final
class _Writes:
    def __init__(self, inner: WriteStream[SessionMessage]) -> None:
        self._inner = inner

    async def send(self, item: SessionMessage, /) -> None:
        sending = SENDING.get()
        if sending is not None and not sending.begin():
            raise anyio.ClosedResourceError
        try:
            await self._inner.send(item)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            if sending is not None:
                sending.take_back()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


@final
class _Reads:
    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], over: Event
    ) -> None:
        self._inner = inner
        self._over = over

    @property
    def last_context(self) -> object:
        """The sender's, where the stream carries one."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        try:
            return await self._inner.receive()
        except BaseException:
            self._over.set()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "_Reads":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self._inner.__anext__()
        except BaseException:
            self._over.set()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
