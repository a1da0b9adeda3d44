"""All the parts of one host."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, final

from toolroute_host._kept import Clock
from toolroute_host.agents import Agent, Agents
from toolroute_host.channels import ChannelRegistry
from toolroute_host.drafts import Drafts
from toolroute_host.events import Event, Verdict
from toolroute_host.mcpl import McplRegistry, Server
from toolroute_host.modules import Module, Modules
from toolroute_host.notes import Notes
from toolroute_host.references import Fetcher, References
from toolroute_host.settings import Settings
from toolroute_host.store import Store
from toolroute_host.toolsets import Toolset, Toolsets
from toolroute_host.windows import Windows

if TYPE_CHECKING:
    from toolroute_host.attention import FocusedChannels, MutedChannels
    from toolroute_host.gate import EventGate
    from toolroute_host.heartbeat import Pulse
    from toolroute_host.scripts import ScriptRunner
    from toolroute_host.utilities import Utilities
    from toolroute_host.workspace import Workspace

__all__ = ["World"]


@final
class World:
    """The parts of one host.

    Those that may be `None` are its capabilities: they're there when somebody puts them
    in, and may come and go between calls.
    """

    def __init__(
        self,
        store: Store | None = None,
        *,
        now: Clock = time.time,
        agents: Iterable[Agent] = (),
        modules: Iterable[Module] = (),
        toolsets: Iterable[Toolset] = (),
    ) -> None:
        self.store: Final = Store() if store is None else store
        self.now: Final = now
        self.agents: Final = Agents(self.store, agents)
        self.modules: Final = Modules(modules)
        self.toolsets: Final = Toolsets(self.store, now, toolsets)
        self.settings: Final = Settings(self.store, now)
        self.notes: Final = Notes(self.store, now)
        self.drafts: Final = Drafts(self.store, now)
        self.channel_registry: ChannelRegistry | None = None
        self.event_gate: EventGate | None = None
        self.focus: FocusedChannels | None = None
        self.heartbeat: Pulse | None = None
        self.mcpl_registry: McplRegistry | None = None
        self.tune_out: MutedChannels | None = None
        self.code_execution: ScriptRunner | None = None
        self.utilities: Utilities | None = None
        self.workspace: Workspace | None = None
        self.references: Final = References(self.store, now)
        self.fetcher: Fetcher | None = None
        self.windows: Final = Windows(self.store, now, self.agents, self._remember)

    def shown(self, agent: str) -> list[Any]:
        """The messages that an agent's next request shows, as many as it set."""
        most = self.settings.all(agent)["window_messages"]
        return self.windows.messages(agent, most)

    def _remember(self, agent: str, message: Any) -> None:
        """Keep the images of a message, which is what its agent saw last."""
        if self.workspace is not None:
            self.workspace.remember(agent, message)

    def home(self, agent: str | None) -> str | None:
        """The channel that an agent is bound to, when it's a conversation fork."""
        known = None if agent is None else self.agents.get(agent)
        return None if known is None else known.home

    def connect(self, server: Server) -> None:
        """Take a tool server in; the first one brings the registries with it."""
        if self.mcpl_registry is None:
            self.mcpl_registry = McplRegistry()
        self.mcpl_registry.connect(server)
        if self.channel_registry is None:
            self.channel_registry = ChannelRegistry(self.store, self.now)

    def judge(self, event: Event, agent: str) -> Verdict:
        """Whether an agent wakes for an event: the first part that says no decides."""
        for part in (self.tune_out, self.focus):
            verdict = None if part is None else part.judge(event, agent)
            if verdict is not None:
                return verdict
        if self.event_gate is None:
            return Verdict(wakes=True, why="this host has no event gate")
        return self.event_gate.judge(event, agent)

    async def stop(self) -> None:
        """Stop what goes on by itself: scripts in the background."""
        if self.code_execution is not None:
            await self.code_execution.close()

    def close(self) -> None:
        """Let go of what it holds."""
        self.store.close()
