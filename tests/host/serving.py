"""A server on this machine, and a fetcher that asks it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import pytest

from toolroute_host.fetching import AllowedHost, HttpFetcher
from toolroute_host.references import FetchError

Serve: TypeAlias = Callable[[str, asyncio.StreamWriter], Awaitable[None]]
HERE = "127.0.0.1"


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[int]:
    """A server on this machine; `serve` gets a request's head. Gives the port."""

    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await serve(head.decode(), writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(handle, HERE, 0) as server:
        yield server.sockets[0].getsockname()[1]


def saying(answer: bytes, seen: list[str] | None = None) -> Serve:
    async def serve(head: str, writer: asyncio.StreamWriter) -> None:
        if seen is not None:
            seen.append(head)
        writer.write(answer)

    return serve


def allowing(port: int, **more: Any) -> HttpFetcher:
    return HttpFetcher([AllowedHost(HERE, private=True, port=port)], **more)


async def refused(fetcher: HttpFetcher, url: str) -> str:
    with pytest.raises(FetchError) as error:
        await fetcher.fetch(url)
    return str(error.value)
