"""What stands around the shipped calls' host: a tool server, and a page to fetch."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from toolroute_host.fetching import AllowedHost, HttpFetcher
from toolroute_host.mcp_config import ServerConfig, Stdio
from toolroute_host.mcp_links import McpLinks
from toolroute_host.mcpl import ToolPolicy
from toolroute_host.world import World

HERE: Final = "127.0.0.1"
SERVER: Final = Path(__file__).parent / "_demo_server.py"


@asynccontextmanager
async def around(world: World, page: bytes) -> AsyncGenerator[None]:
    """Serve `page` as what `ref_1` stands for, and connect to the dictionary."""
    async with _serving(page) as port:
        world.references.register(f"http://{HERE}:{port}/dot.gif", "a dot")
        world.references.register("http://169.254.169.254/secrets", "not to be had")
        world.fetcher = HttpFetcher([AllowedHost(HERE, private=True, port=port)])
        transport = Stdio(sys.executable, (str(SERVER),))
        policy = ToolPolicy(deny=("forget",))
        links = McpLinks(
            world, [ServerConfig("dictionary", transport, "words", policy)]
        )
        try:
            await links.start()
            yield
        finally:
            await links.stop()


@asynccontextmanager
async def _serving(page: bytes) -> AsyncGenerator[int]:
    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(page)}\r\n\r\n"
        writer.write(head.encode() + page)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(handle, HERE, 0) as server:
        yield server.sockets[0].getsockname()[1]
