"""`sleep` and `wake`. A sleep is said aloud when the agent's own turn asked for it."""

import logging
from typing import Final

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Context
from toolroute_host._arguments import optional_flag, optional_text, seconds
from toolroute_host._kept import moment
from toolroute_host.channels import UnknownChannel
from toolroute_host.gate import EventGate
from toolroute_host.world import World

LOG: Final = logging.getLogger("toolroute_host")


def answer(
    world: World, gate: EventGate, call: ToolCall, context: Context
) -> ToolResult:
    """Answer `sleep` or `wake`; a sleep ends the turn that it's called in."""
    owner = context.agent or ""
    if call.name == "wake":
        return ToolResult({"awake": True, "was_asleep": gate.wake(owner)})
    length = seconds(call)
    announce = optional_flag(call, "announce")
    message = optional_text(call, "message")
    until = gate.sleep(owner, length)
    if announce is None:
        announce = bool(world.settings.all(owner)["announce_sleep"])
    if announce:
        _announce(world, context, message or f"Asleep until {moment(until)}.")
    return ToolResult({"asleep_until": moment(until)}, ends_turn=True)


def _announce(world: World, context: Context, text: str) -> None:
    """Say it on the agent's channel, if its turn asked for it; else note it here."""
    agent = None if context.agent is None else world.agents.get(context.agent)
    channels = world.channel_registry
    if context.turn is None or agent is None:
        LOG.info("%s: %s (not announced: not its turn)", context.agent or "host", text)
    elif channels is None or agent.voice is None:
        LOG.info("%s: %s (not announced: no channel)", agent.name, text)
    else:
        try:
            channels.publish(agent.voice, agent.name, text)
        except (UnknownChannel, OSError) as error:
            LOG.warning("%s: %s (not announced: %s)", agent.name, text, error)
