"""Connections to tool servers over MCP, kept up: each in a task of its own.

A server is in the registry while it's connected, with the tools that it listed last. It
is looked at when it says that its tools changed, when something of it broke, and else
from time to time.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, Final, assert_never, cast, final

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.types import ToolListChangedNotification

from toolroute._text import one_line
from toolroute_host._mcp_connection import McpConnection
from toolroute_host._mcp_http import http_client
from toolroute_host._mcp_stderr import StdErr
from toolroute_host._mcp_streams import watched, watched_pipe
from toolroute_host.mcp_config import Http, ServerConfig, Stdio
from toolroute_host.mcpl import Server
from toolroute_host.world import World

__all__ = ["McpLinks"]

LOG: Final = logging.getLogger("toolroute_host")

START: Final = 10.0
"""Seconds that a host's start waits for its servers; later ones appear later."""

RELIST: Final = 30.0
"""Seconds between two looks at a server that says nothing of itself."""

PATIENCE: Final = 60.0
"""Seconds that a server has to start in, and to list its tools."""

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
STEADY: Final = 60.0
"""Seconds of a connection after which the pauses begin with the first again."""

MOST_TOOLS: Final = 1_000
NOISY: Final = ("client", "mcp.client.stdio", "mcp.client.streamable_http")
"""The SDK's loggers of what a server says."""


@final
class McpLinks:
    """Connects a host's registry to the configured servers, until it's stopped."""

    def __init__(self, world: World, servers: Sequence[ServerConfig]) -> None:
        self._links = [_Link(world, server) for server in servers]
        self._tasks: list[asyncio.Task[None]] = []
        _quieten()

    async def start(self) -> None:
        """Begin, and wait until each server was tried once, though not for ever."""
        for link in self._links:
            self._tasks.append(asyncio.create_task(link.keep()))
        with suppress(TimeoutError):
            async with asyncio.timeout(START):
                await asyncio.gather(*(link.tried.wait() for link in self._links))

    async def stop(self) -> None:
        """Let go of every server."""
        for link in self._links:
            link.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


@final
class _Link:
    """One server, connected again and again."""

    def __init__(self, world: World, config: ServerConfig) -> None:
        self._world = world
        self._config = config
        self._shown = one_line(config.name)
        self.tried = asyncio.Event()
        self.stopping = False

    async def keep(self) -> None:
        """Connect, and again whenever that's gone; ends by being cancelled."""
        pause = FIRST_PAUSE
        while not self.stopping:  # a client that ends badly may swallow the cancelling
            began = time.monotonic()
            one = _Once(self._world, self._config, self.tried)
            try:
                await one.run()
            except Exception as error:  # noqa: BLE001  (logged, and tried again)
                if time.monotonic() - began > STEADY:
                    pause = FIRST_PAUSE
                LOG.warning(
                    "The server %s %s (%s); the next try is in %g seconds",
                    self._shown,
                    "went away" if one.entered else "isn't connected",
                    self._words(error, one.stderr),
                    pause,
                )
            self.tried.set()
            if not self.stopping:
                await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _words(self, error: Exception, stderr: StdErr) -> str:
        """What went wrong first, and what the process said last; nothing secret."""
        first: BaseException = error
        while isinstance(first, BaseExceptionGroup):
            first = cast("BaseExceptionGroup[BaseException]", first).exceptions[0]
        words = str(first) or type(first).__name__
        if isinstance(first, TimeoutError):
            words = f"it said nothing for {PATIENCE:g} seconds"
        if said := stderr.last():
            words = f"{words}; its last words: {said}"
        for secret in self._config.secrets():
            words = words.replace(secret, "***")
        return one_line(words)


@final
class _Once:
    """One connection, from its start to its end."""

    def __init__(
        self, world: World, config: ServerConfig, tried: asyncio.Event
    ) -> None:
        self._world = world
        self._config = config
        self._tried = tried
        self._look = asyncio.Event()
        self._junk = False
        self.entered = False
        self.stderr = StdErr()

    async def run(self) -> None:
        """Stay connected; ends by raising what ended it."""
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(PATIENCE):
                client = await self._connected(stack)
                tools = await _tools(client)
            connection = McpConnection(
                client, self._config, self._world.references, self._look.set
            )
            self._enter(tools, connection)
            stack.callback(self._leave)
            listening = asyncio.create_task(self._listen(client))
            stack.callback(listening.cancel)
            while True:
                await _happens(self._look, RELIST)
                self._look.clear()
                async with asyncio.timeout(PATIENCE):
                    listed = await _tools(client)
                if listed != tools:
                    tools = listed
                    self._enter(tools, connection)

    async def _connected(self, stack: AsyncExitStack) -> Client:
        """A client that is connected for as long as the stack is."""
        match self._config.transport:
            case Stdio(command, args, env, cwd):
                parameters = StdioServerParameters(
                    command=command, args=list(args), env=dict(env), cwd=cwd
                )
                errors = await stack.enter_async_context(self.stderr.open())
                transport = watched_pipe(
                    stdio_client(parameters, errlog=errors), self._look
                )
            case Http(url, headers):
                http = await stack.enter_async_context(http_client(headers))
                transport = watched(
                    streamable_http_client(url, http_client=http), self._look
                )
            case _:
                assert_never(self._config.transport)
        client = Client(transport, message_handler=self._heard)
        return await stack.enter_async_context(client)

    def _enter(self, tools: frozenset[str], connection: McpConnection) -> None:
        config = self._config
        self._world.connect(
            Server(config.name, config.prefix, tools, connection, config.policy)
        )
        self.entered = True
        self._tried.set()

    def _leave(self) -> None:
        if self._world.mcpl_registry is not None:
            self._world.mcpl_registry.disconnect(self._config.name)

    async def _heard(self, message: Any) -> None:
        """A notification, or the `Exception` of a line that is no message."""
        if isinstance(message, ToolListChangedNotification):
            self._look.set()
        elif isinstance(message, Exception) and not self._junk:
            self._junk = True
            LOG.warning(
                "The server %s wrote what isn't a message to its standard output; "
                "that is left aside",
                one_line(self._config.name),
            )

    async def _listen(self, client: Client) -> None:
        """Ask to be told of changes, where the protocol is new enough to be asked."""
        while True:
            with suppress(MCPError, SubscriptionLost):
                try:
                    async with client.listen(tools_list_changed=True) as changes:
                        async for _ in changes:
                            self._look.set()
                except ListenNotSupportedError:
                    return  # an older one tells without being asked
            self._look.set()
            await asyncio.sleep(RELIST)


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


async def _happens(event: asyncio.Event, seconds: float) -> None:
    """Until it happens, or so long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def _quieten() -> None:
    """The SDK logs each line that is no message, whole: who debugs wants that."""
    for name in NOISY:
        logging.getLogger(name).addFilter(_wanted)


def _wanted(record: logging.LogRecord) -> bool:
    del record
    return LOG.isEnabledFor(logging.DEBUG)
