"""One handler a kind, each a few lines over the part of the host that does the work.

None knows which road a call came by. It has its route, which holds what the table says
the tool needs, and a context that says whom the call is made as.
"""

from typing import Final, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute.routing import Answering
from toolroute.runtime import Context
from toolroute_host import (
    _channel_tools,
    _fetch_reference,
    _gate_tools,
    _sleep,
    dispatch,
)
from toolroute_host._arguments import optional_seconds, optional_text
from toolroute_host.gate import SELF_WAKE
from toolroute_host.prose import prose_help
from toolroute_host.workspace import Workspace
from toolroute_host.world import World

# ruff: noqa: D102  (the table's doc says what each kind does)

__all__ = ["HostHandlers"]

PATIENCE: Final = 60.0
"""Seconds that a save waits for the other calls of its round."""

SKIPPED: Final = "The turn ends here and nothing is sent."


@final
class HostHandlers:
    """The handlers of the root table, over one host's parts."""

    def __init__(self, world: World) -> None:
        self._world = world

    def toolsets(self, route: dispatch.Toolsets, context: Context) -> ToolResult:
        return self._world.toolsets.tool(route.call, _owner(context))

    async def mcpl(self, route: dispatch.Mcpl, context: Context) -> ToolResult:
        del context  # a server isn't told who asks
        target = route.target
        return await target.server.connection.call(target.tool, dict(route.call.input))

    def channel(self, route: dispatch.Channel, context: Context) -> ToolResult:
        owner = _owner(context)
        return _channel_tools.answer(
            route.channel_registry,
            route.call,
            owner,
            home=self._world.home(context.agent),
            backscroll=self._world.settings.all(owner)["backscroll"],
        )

    def utils(self, route: dispatch.Utils, context: Context) -> ToolResult:
        del context  # a utility is the same whoever asks
        if self._world.utilities is None:
            raise _not_here(route.call.name, "has no utilities")
        return self._world.utilities.tool(route.call)

    def agent_settings(
        self, route: dispatch.AgentSettings, context: Context
    ) -> ToolResult:
        return self._world.settings.tool(route.call, _owner(context))

    async def save_recent_image(
        self, route: dispatch.SaveRecentImage, context: Context
    ) -> ToolResult:
        workspace = self._workspace(route.call.name)
        await _round_is_over(route.call, context)
        return workspace.save_recent_image(route.call, _owner(context))

    def read_image(self, route: dispatch.ReadImage, context: Context) -> ToolResult:
        del context  # the workspace is the same whoever asks
        return self._workspace(route.call.name).read_image(route.call)

    async def fetch_reference(
        self, route: dispatch.FetchReference, context: Context
    ) -> ToolResult:
        del context  # the workspace is the same whoever asks
        workspace = self._workspace(route.call.name)
        if self._world.fetcher is None:
            raise _not_here(route.call.name, "fetches nothing")
        return await _fetch_reference.answer(
            route.call, self._world.references, self._world.fetcher, workspace
        )

    def gate_status(self, route: dispatch.GateStatus, context: Context) -> ToolResult:
        return _gate_tools.gate_status(route.event_gate, _owner(context))

    def tune_out(self, route: dispatch.TuneOut, context: Context) -> ToolResult:
        return route.tune_out.tool(route.call, _owner(context))

    def focus(self, route: dispatch.Focus, context: Context) -> ToolResult:
        return route.focus.tool(route.call, _owner(context))

    def sleep(self, route: dispatch.Sleep, context: Context) -> ToolResult:
        return _sleep.answer(self._world, route.event_gate, route.call, context)

    def wake_rule(self, route: dispatch.WakeRule, context: Context) -> ToolResult:
        if route.call.name == "wake_add_rule":
            return _gate_tools.add_rule(route.event_gate, route.call, _owner(context))
        return _gate_tools.remove_rule(route.event_gate, route.call, _owner(context))

    def event_tags(self, route: dispatch.EventTags, context: Context) -> ToolResult:
        del context  # the tags are the same whoever asks
        return _gate_tools.event_tags(route.event_gate)

    def agent_verb(self, route: dispatch.AgentVerb, context: Context) -> ToolResult:
        return self._world.notes.verb(route.call, _owner(context))

    def skip_reply(self, route: dispatch.SkipReply, context: Context) -> ToolResult:
        reason = optional_text(route.call, "reason")
        seconds = optional_seconds(route.call, "wake_in_seconds")
        gate, owner = self._world.event_gate, _owner(context)
        if seconds is not None:
            if gate is None:
                raise _not_here("wake_in_seconds", "has no event gate")
            gate.set_deadline(owner, SELF_WAKE, seconds, reason)
        return ToolResult({"skipped": True, "note": SKIPPED}, ends_turn=True)

    async def code_execution(
        self, route: dispatch.CodeExecution, context: Context
    ) -> ToolResult:
        return await route.code_execution.run(route.call, context)

    def drafts(self, route: dispatch.Drafts, context: Context) -> ToolResult:
        return self._world.drafts.tool(
            route.call,
            _owner(context),
            route.channel_registry,
            self._world.home(context.agent),
        )

    def heartbeat(self, route: dispatch.Heartbeat, context: Context) -> ToolResult:
        return route.heartbeat.tool(route.call, _owner(context))

    def prose_help(self, route: dispatch.ProseHelp, context: Context) -> ToolResult:
        del route, context  # the reference is the same whoever asks
        return prose_help()

    def module(self, route: dispatch.Module, context: Context) -> Answering:
        return self._world.modules.call(route.before, route.after, route.call, context)

    def _workspace(self, name: str) -> Workspace:
        if self._world.workspace is None:
            raise _not_here(name, "has no workspace")
        return self._world.workspace


def _owner(context: Context) -> str:
    """Whose a thing is that's kept: the agent's, or nobody's, which is the host's."""
    return context.agent or ""


async def _round_is_over(call: ToolCall, context: Context) -> None:
    """Wait for what the round's other calls may show; other saves show nothing."""
    left = await context.others(but=(call.name,), seconds=PATIENCE)
    if left:
        raise ToolError(
            f"{call.name} waited {PATIENCE:g} seconds for {', '.join(left)} of the "
            "same message, which had no answer yet. Nothing was saved.",
            retry="after-delay",
        )


def _not_here(name: str, why: str) -> ToolError:
    return ToolError(f"{name}: this host {why}, so nothing was done.")
