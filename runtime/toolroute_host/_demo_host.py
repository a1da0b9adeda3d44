"""The host that `python -m toolroute_host` dispatches to: every part that there is.

It lives in memory and a folder of its own, which is gone when the run is over.
"""

import base64
import time
from pathlib import Path
from typing import Any, Final, final

from toolroute import ToolResult
from toolroute_host._channel_kinds import FileChannel, LocalChannel
from toolroute_host._images import Image
from toolroute_host._kept import Clock
from toolroute_host.agents import Agent
from toolroute_host.attention import FocusedChannels, MutedChannels
from toolroute_host.channels import ChannelRegistry
from toolroute_host.files import FilesModule
from toolroute_host.gate import EventGate
from toolroute_host.heartbeat import Pulse
from toolroute_host.mcpl import Server, ToolPolicy
from toolroute_host.scripts import ScriptRunner
from toolroute_host.store import Store
from toolroute_host.toolsets import Toolset
from toolroute_host.utilities import Utilities, usual
from toolroute_host.workspace import Workspace
from toolroute_host.world import World

AGENTS: Final = (
    Agent("ada", primary=True, channel="lobby", explicit_prose=True),
    Agent("bea", channel="lobby", allowed_tools=frozenset({"think", "files--read"})),
    Agent("fay", home="fay-room"),
    Agent("mum", allowed_tools=frozenset()),
)
MEANINGS: Final = {
    "route": "where a tool call goes",
    "turn": "what an agent does at one go",
}
NAMES: Final = tuple(agent.name for agent in AGENTS)

DOT: Final = base64.b64decode(
    "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
)
"""A GIF of one white pixel."""

TOOLSETS: Final = (Toolset("archive", ("files--delete",), "taking files away"),)


def demo_host(folder: Path, now: Clock = time.time) -> World:
    """Three agents, two channels and a log, a folder of files, a tool server."""
    shared = folder / "shared"
    shared.mkdir()
    (shared / "hello.txt").write_text("Hello from the shared folder.\n")
    store = Store()
    world = World(
        store,
        now=now,
        agents=AGENTS,
        modules=[FilesModule(shared)],
        toolsets=TOOLSETS,
    )
    log = FileChannel(folder / "log.jsonl", "log", "appended to a file")
    local = (LocalChannel(store, "lobby"), LocalChannel(store, "fay-room"))
    world.channel_registry = ChannelRegistry(store, now, (*local, log))
    world.event_gate = EventGate(store, now)
    world.heartbeat = Pulse(world.event_gate)
    world.tune_out = MutedChannels(store, now)
    world.focus = FocusedChannels(store, now)
    world.code_execution = ScriptRunner(store=store)
    world.utilities = Utilities(usual(now))
    world.workspace = _workspace(folder, store, now)
    world.connect(
        Server(
            "dictionary",
            "words",
            frozenset({"define", "forget", "agent_settings"}),
            _Dictionary(),
            ToolPolicy(deny=("forget",)),
        )
    )
    return world


def _workspace(folder: Path, store: Store, now: Clock) -> Workspace:
    """A workspace, where everybody was shown one image already."""
    pictures = folder / "pictures"
    pictures.mkdir()
    workspace = Workspace(store, now, {"pictures": pictures})
    for owner in ("", *NAMES):
        workspace.remember(owner, [Image("image/gif", DOT).block()])
    return workspace


@final
class _Dictionary:
    """A tool server in this process, with an error of its own to give."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """Answer `define`; whatever else it lists, it says what that is."""
        if tool != "define":
            return ToolResult(f"{tool} is the dictionary's own")
        word = arguments.get("word")
        meaning = MEANINGS.get(word) if isinstance(word, str) else None
        if meaning is None:
            return ToolResult(
                f"the dictionary has no entry for {word!r}", is_error=True
            )
        return ToolResult({"word": word, "meaning": meaning})
