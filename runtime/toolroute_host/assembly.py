"""A host from its folder: the parts that its files name, connected and running."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from toolroute.runtime import Module, SqliteLedger
from toolroute_host import config as config_of
from toolroute_host import mcp_config
from toolroute_host._channel_kinds import FileChannel, LocalChannel
from toolroute_host.agents import Agent
from toolroute_host.attention import FocusedChannels, MutedChannels
from toolroute_host.channels import Channel, ChannelRegistry
from toolroute_host.config import HostConfig
from toolroute_host.fetching import AllowedHost, HttpFetcher, Limits
from toolroute_host.files import FilesModule
from toolroute_host.gate import EventGate
from toolroute_host.heartbeat import Pulse
from toolroute_host.plugins import add_plugins
from toolroute_host.running import HostRuntime, runtime_of
from toolroute_host.scripts import ScriptLimits, ScriptRunner
from toolroute_host.store import Store
from toolroute_host.toolsets import Toolset
from toolroute_host.turns import recover
from toolroute_host.utilities import Utilities, usual
from toolroute_host.workspace import Workspace
from toolroute_host.world import World

if TYPE_CHECKING:
    from toolroute_host import modules as parts

__all__ = ["Hosted", "opened"]

SERVERS: Final = "servers.json"


@final
@dataclass(frozen=True, slots=True)
class Hosted:
    """A host that runs; `terminal` is the module that a person's own calls are."""

    world: World
    runtime: HostRuntime
    terminal: Module


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[Hosted]:
    """The host of this folder, for as long as this lasts; made if it isn't there.

    Rounds that it left when it was killed are settled before anything runs.
    """
    config, configured = _configured(folder)
    async with AsyncExitStack() as stack:
        store = Store(folder / "host.db")
        stack.callback(store.close)
        ledger = SqliteLedger(folder / "ledger.db")
        stack.callback(ledger.close)
        world = world_of(folder, config, store)
        recover(world, ledger)
        stack.push_async_callback(world.stop)
        runtime = await stack.enter_async_context(runtime_of(world, ledger=ledger))
        terminal = runtime.module("terminal")  # before a plugin takes the name
        add_plugins(world, runtime)
        if configured:
            await _linked(world, configured, stack)
        yield Hosted(world, runtime, terminal)


async def _linked(
    world: World, servers: Sequence[mcp_config.ServerConfig], stack: AsyncExitStack
) -> None:
    """Connect to the servers; only a host that has some pays for the import."""
    from toolroute_host.mcp_links import McpLinks  # noqa: PLC0415

    links = McpLinks(world, servers)
    stack.push_async_callback(links.stop)
    await links.start()


def _configured(folder: Path) -> tuple[HostConfig, list[mcp_config.ServerConfig]]:
    _made(folder)
    servers = folder / SERVERS
    configured = mcp_config.load(servers) if servers.exists() else []
    return config_of.load(folder), configured


def world_of(folder: Path, config: HostConfig, store: Store) -> World:
    """The parts that a configuration names, over this store."""
    modules: list[parts.Module] = []
    if config.files is not None:
        modules.append(FilesModule(_made(folder / config.files.folder)))
    world = World(
        store,
        agents=[_agent(name, part) for name, part in config.agents.items()],
        modules=modules,
        toolsets=[
            Toolset(name, tuple(part.tools), part.doc)
            for name, part in config.toolsets.items()
        ],
    )
    now = world.now
    if config.channels:
        channels = (_channel(folder, store, *each) for each in config.channels.items())
        world.channel_registry = ChannelRegistry(store, now, channels)
    world.event_gate = EventGate(store, now)
    world.heartbeat = Pulse(world.event_gate)
    world.tune_out = MutedChannels(store, now)
    world.focus = FocusedChannels(store, now)
    world.utilities = Utilities(usual(now))
    world.code_execution = _scripts(config.scripts, store)
    if config.workspace:
        mounts = {name: _made(folder / at) for name, at in config.workspace.items()}
        world.workspace = Workspace(store, now, mounts)
    world.fetcher = _fetcher(config.fetch)
    return world


def _agent(name: str, part: config_of.AgentPart) -> Agent:
    allowed = part.allowed_tools
    try:
        return Agent(
            name,
            primary=part.primary,
            home=part.home,
            channel=part.channel,
            allowed_tools=None if allowed is None else frozenset(allowed),
            explicit_prose=part.explicit_prose,
        )
    except ValueError as error:
        raise config_of.ConfigError(str(error)) from error


def _channel(
    folder: Path, store: Store, name: str, part: config_of.ChannelPart
) -> Channel:
    if part.file is None:
        return LocalChannel(store, name, part.title)
    path = folder / part.file
    path.parent.mkdir(parents=True, exist_ok=True)
    return FileChannel(path, name, part.title)


def _fetcher(part: config_of.FetchPart) -> HttpFetcher:
    allowed = [
        *(AllowedHost.of(host) for host in part.hosts),
        *(AllowedHost.of(host, private=True) for host in part.private_hosts),
    ]
    return HttpFetcher(allowed, Limits(part.size, part.seconds))


def _scripts(part: config_of.ScriptsPart | None, store: Store) -> ScriptRunner | None:
    if part is None:
        return None
    limits = ScriptLimits(part.seconds, part.memory, part.output, part.disk, part.files)
    return ScriptRunner(limits, at_once=part.at_once, store=store)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
