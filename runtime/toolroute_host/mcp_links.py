"""Connections to tool servers over MCP, kept up: each in a task of its own.

A server is in the registry while it's connected, with the tools that it listed last. A
call that was sent and got no answer may have taken effect, and is told as that.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, Final, assert_never, cast, final

import httpx2 as httpx
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

from toolroute import ToolError, ToolResult, outcome_unknown
from toolroute._text import one_line
from toolroute_host import _mcp_content
from toolroute_host.mcp_config import Http, ServerConfig, Stdio
from toolroute_host.mcpl import Server
from toolroute_host.references import References
from toolroute_host.world import World

__all__ = ["McpLinks"]

LOG: Final = logging.getLogger("toolroute_host")

RELIST: Final = 5.0
"""Seconds between two looks at whether a server is there, and at what it lists."""

PATIENCE: Final = 60.0
"""Seconds that a server has to start in, and to list its tools."""

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
MOST_TOOLS: Final = 1_000
UNANSWERED: Final = frozenset({CONNECTION_CLOSED, REQUEST_TIMEOUT})


@final
class McpLinks:
    """Connects a host's registry to the configured servers, until it's stopped."""

    def __init__(self, world: World, servers: Sequence[ServerConfig]) -> None:
        self._world = world
        self._links = [_Link(world, server) for server in servers]
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin, and wait until each server was tried once."""
        for link in self._links:
            self._tasks.append(asyncio.create_task(link.keep()))
        await asyncio.gather(*(link.tried.wait() for link in self._links))

    async def stop(self) -> None:
        """Let go of every server."""
        for link, task in zip(self._links, self._tasks, strict=True):
            link.stopping = True
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


@final
class _Link:
    def __init__(self, world: World, config: ServerConfig) -> None:
        self._world = world
        self._config = config
        self.tried = asyncio.Event()
        self.stopping = False

    async def keep(self) -> None:
        """Connect, and again whenever that's gone; ends by being cancelled."""
        pause = FIRST_PAUSE
        while not self.stopping:  # a client that ends badly may swallow the cancelling
            try:
                pause = await self._once(pause)
            except Exception as error:  # noqa: BLE001  (logged, and tried again)
                LOG.warning(
                    "The server %s isn't connected (%s); the next try is in %g seconds",
                    self._config.name,
                    _words(error),
                    pause,
                )
            self.tried.set()
            if not self.stopping:
                await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _once(self, pause: float) -> float:
        """One connection, from its start to its end; gives the pause after it."""
        gone = asyncio.Event()
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(PATIENCE):
                client = await _connected(self._config, stack)
                tools = await _tools(client)
            connection = _Connection(client, self._config, self._world.references, gone)
            self._enter(tools, connection)
            stack.callback(self._leave)
            pause = FIRST_PAUSE
            self.tried.set()
            while not await _happens(gone, RELIST):
                async with asyncio.timeout(PATIENCE):
                    listed = await _tools(client)
                if listed != tools:
                    tools = listed
                    self._enter(tools, connection)
        LOG.warning("The server %s went away", self._config.name)
        return pause

    def _enter(self, tools: frozenset[str], connection: "_Connection") -> None:
        config = self._config
        self._world.connect(
            Server(config.name, config.prefix, tools, connection, config.policy)
        )

    def _leave(self) -> None:
        if self._world.mcpl_registry is not None:
            self._world.mcpl_registry.disconnect(self._config.name)


@final
class _Connection:
    """One connection's calls."""

    def __init__(
        self,
        client: Client,
        config: ServerConfig,
        references: References,
        gone: asyncio.Event,
    ) -> None:
        self._client = client
        self._config = config
        self._references = references
        self._gone = gone

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """What the server answers, its errors too; what has no answer is unknown."""
        try:
            answer = await self._client.call_tool(
                tool, arguments, read_timeout_seconds=self._config.seconds
            )
        except MCPError as error:
            if error.error.code not in UNANSWERED:
                return ToolResult(one_line(error.error.message, 2_000), is_error=True)
            if error.error.code == CONNECTION_CLOSED:
                self._gone.set()
            raise self._unknown(tool) from error
        except Exception as error:
            self._gone.set()
            raise self._unknown(tool) from error
        return _mcp_content.result(answer, self._references)

    def _unknown(self, tool: str) -> ToolError:
        said = outcome_unknown(f"{self._config.prefix}--{tool}")["error"]
        return ToolError(said["message"], code=said["code"], retry=said["retry"])


async def _tools(client: Client) -> frozenset[str]:
    """The names that a server lists now, page by page."""
    names: set[str] = set()
    cursor: str | None = None
    while len(names) < MOST_TOOLS:
        page = await client.list_tools(cursor=cursor, cache_mode="refresh")
        names |= {tool.name for tool in page.tools}
        cursor = page.next_cursor
        if cursor is None:
            break
    return frozenset(names)


async def _connected(config: ServerConfig, stack: AsyncExitStack) -> Client:
    """A client that is connected for as long as the stack is."""
    match config.transport:
        case Stdio(command, args, env, cwd):
            parameters = StdioServerParameters(
                command=command, args=list(args), env=dict(env), cwd=cwd
            )
            client = Client(parameters)
        case Http(url, headers):
            http = httpx.AsyncClient(
                headers=dict(headers), timeout=config.seconds, trust_env=False
            )
            await stack.enter_async_context(http)
            client = Client(streamable_http_client(url, http_client=http))
        case _:
            assert_never(config.transport)
    return await stack.enter_async_context(client)


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Whether it happens within so long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def _words(error: Exception) -> str:
    """The first thing that went wrong, on one line."""
    first: BaseException = error
    while isinstance(first, BaseExceptionGroup):
        first = cast("BaseExceptionGroup[BaseException]", first).exceptions[0]
    return one_line(str(first) or type(first).__name__)
