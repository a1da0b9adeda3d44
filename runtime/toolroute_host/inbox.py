"""What comes in: messages on channels, and deadlines; and who wakes for it.

What is said on a channel reaches every agent that has it open, whether it wakes or not.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

from toolroute_host.agents import Agent
from toolroute_host.channels import ChannelRegistry, UnknownChannel
from toolroute_host.events import Event
from toolroute_host.gate import (
    BEAT,
    DEBOUNCE,
    HOST,
    HOSTS_DEBOUNCE,
    SELF_WAKE,
    Due,
    EventGate,
)
from toolroute_host.prose import segments
from toolroute_host.running import HostRuntime
from toolroute_host.windows import user_message
from toolroute_host.world import World

__all__ = ["Inbox", "Wake"]

LOG: Final = logging.getLogger("toolroute_host")


@final
@dataclass(frozen=True, slots=True)
class Wake:
    """An agent wakes, and why, in words."""

    agent: str
    why: str


@final
class Inbox:
    """Hands on what comes in, and says who wakes; whoever runs turns does the rest."""

    def __init__(self, world: World, runtime: HostRuntime) -> None:
        self._world = world
        self._runtime = runtime

    def receive(
        self, channel: str, author: str, content: str, tags: Iterable[str] = ()
    ) -> list[Wake]:
        """Somebody says something on a channel."""
        registry = self._world.channel_registry
        if registry is None:
            raise LookupError("this host has no channels")
        registry.publish(channel, author, content)
        event = Event("message", "channels", channel, content, frozenset(tags))
        wakes: list[Wake] = []
        for agent in self._listening(registry, channel, author):
            text = f"[{channel}] {author}: {content}"
            self._runtime.deliver(agent.name, user_message(text))
            verdict = self._world.judge(event, agent.name)
            if verdict.wakes:
                wakes.append(Wake(agent.name, f"{author} on {channel}"))
        return wakes

    def due(self) -> Iterator[Wake]:
        """Who wakes for the deadlines that have come; a heart that beat beats again.

        A deadline is over when its wakes were taken and more is asked for.
        """
        gate = self._world.event_gate
        if gate is not None:
            for due in gate.due():
                yield from self._wakes(gate, due)

    def say(self, agent: Agent, prose: str, origin: str | None = None) -> list[str]:
        """Send what an agent wrote outside of calls; gives the channels it went to.

        What is addressed to a channel that isn't there stays private.
        """
        registry = self._world.channel_registry
        if registry is None:
            return []
        unaddressed = None if agent.explicit_prose else origin or agent.channel
        sent: list[str] = []
        for said in segments(prose, origin=unaddressed, home=agent.home):
            if said.channel is None:
                continue
            try:
                registry.publish(said.channel, agent.name, said.text)
            except UnknownChannel:
                LOG.warning(
                    "%s wrote to %s, which isn't there", agent.name, said.channel
                )
            else:
                sent.append(said.channel)
        return sent

    def _listening(
        self, registry: ChannelRegistry, channel: str, author: str
    ) -> list[Agent]:
        return [
            agent
            for agent in self._world.agents
            if agent.name != author
            and (
                agent.home == channel or registry.states(agent.name)[channel] == "open"
            )
        ]

    def _wakes(self, gate: EventGate, due: Due) -> list[Wake]:
        """Who wakes for a deadline: its owner, or everybody for the host's own."""
        why = self._why(gate, due)
        if why is None:
            return []
        everybody = [each.name for each in self._world.agents]
        return [Wake(owner, why) for owner in ([due.owner] if due.owner else everybody)]

    def _why(self, gate: EventGate, due: Due) -> str | None:
        """Why somebody wakes for a deadline; `None` where nobody does."""
        before, _, rule = due.purpose.partition(":")
        if f"{before}:" in {DEBOUNCE, HOSTS_DEBOUNCE}:
            asleep = gate.asleep_until(due.owner) or gate.asleep_until(HOST)
            return None if asleep else f"the rule {rule!r} says it's quiet now"
        if due.purpose == SELF_WAKE:
            return (
                f"it asked to be woken ({due.note})" if due.note else "it asked to be"
            )
        beats = due.purpose == BEAT and self._world.heartbeat is not None
        return "its heart beats" if beats else None
