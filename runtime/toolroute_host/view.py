"""The host as one caller's decisions see it."""
# ruff: noqa: D102  (the generated Host says what each member is)

from collections.abc import Iterable
from typing import final

from toolroute import Refusal, ToolCall
from toolroute_host import _home, dispatch
from toolroute_host._channel_tools import TOOLS
from toolroute_host.agents import Agent
from toolroute_host.attention import FocusedChannels, MutedChannels
from toolroute_host.channels import ChannelRegistry
from toolroute_host.gate import EventGate
from toolroute_host.heartbeat import Pulse
from toolroute_host.mcpl import McplRegistry, Target
from toolroute_host.scripts import ScriptRunner
from toolroute_host.world import World

__all__ = ["View"]


@final
class View:
    """What `decide` asks; `agent` is whom the call is made as, or nobody."""

    def __init__(self, world: World, agent: Agent | None = None) -> None:
        self._world = world
        self._agent = agent
        self._owner = agent.name if agent else ""

    # capabilities

    @property
    def primary(self) -> bool:
        return self._agent is not None and self._agent.primary

    @property
    def fork(self) -> bool:
        return self._agent is not None and self._agent.home is not None

    @property
    def explicit_prose(self) -> bool:
        return self._agent is not None and self._agent.explicit_prose

    @property
    def mcpl_registry(self) -> McplRegistry | None:
        return self._world.mcpl_registry

    @property
    def channel_registry(self) -> ChannelRegistry | None:
        return self._world.channel_registry

    @property
    def event_gate(self) -> EventGate | None:
        return self._world.event_gate

    @property
    def tune_out(self) -> MutedChannels | None:
        return self._world.tune_out

    @property
    def focus(self) -> FocusedChannels | None:
        return self._world.focus

    @property
    def heartbeat(self) -> Pulse | None:
        return self._world.heartbeat

    @property
    def code_execution(self) -> ScriptRunner | None:
        return self._world.code_execution

    @property
    def workspace(self) -> bool:
        return self._world.workspace is not None

    @property
    def utilities(self) -> bool:
        return self._world.utilities is not None

    # the lookup, the guards, the unwrap

    def mcpl_server(self, name: str) -> Target | None:
        registry = self._world.mcpl_registry
        return None if registry is None else registry.owner(name)

    def allowed_tools(self, name: str, caller: dispatch.Caller) -> Refusal | None:
        del caller  # the list is the agent's, whoever makes the call
        allowed = None if self._agent is None else self._agent.allowed_tools
        if allowed is None or name in allowed:
            return None
        return dispatch.not_allowed(name=name)

    def tool_policy(self, name: str, caller: dispatch.Caller) -> Refusal | None:
        del caller  # the policy is the server's, whoever makes the call
        target = self.mcpl_server(name)
        if target is None or target.server.policy.permits(target.tool):
            return None
        return dispatch.server_policy(name=name)

    def fork_channel(self, call: ToolCall, caller: dispatch.Caller) -> Refusal | None:
        del caller  # the home is the fork's, whoever names it
        return _home.refused(call, self._agent.home if self._agent else None)

    def toolset_act(self, call: ToolCall) -> ToolCall | None:
        return self._world.toolsets.inner(call, self._owner)

    # the surface

    def list_mcpl(self) -> Iterable[str]:
        registry = self._world.mcpl_registry
        return self._shown([] if registry is None else registry.names())

    def list_channel(self) -> Iterable[str]:
        return self._shown(TOOLS)

    def list_module(self) -> Iterable[str]:
        return self._shown(self._world.modules.names())

    def _shown(self, names: Iterable[str]) -> list[str]:
        """The names that aren't in a toolset that this owner hasn't opened."""
        hidden = self._world.toolsets.hidden(self._owner)
        return [name for name in names if name not in hidden]
