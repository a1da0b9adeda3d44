"""What comes in: messages on channels, and deadlines; and who wakes for it.

What is said on a channel reaches every agent that has it open, whether it wakes or not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from toolroute_host.agents import Agent
from toolroute_host.channels import ChannelRegistry
from toolroute_host.events import Event
from toolroute_host.gate import SELF_WAKE, SLEEP, Due
from toolroute_host.heartbeat import BEAT
from toolroute_host.prose import segments
from toolroute_host.running import HostRuntime
from toolroute_host.windows import user_message
from toolroute_host.world import World

__all__ = ["Inbox", "Wake"]

DEBOUNCE: Final = "debounce:"


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

    def due(self) -> list[Wake]:
        """The deadlines that have come, each once; a heart that beat beats again."""
        gate = self._world.event_gate
        if gate is None:
            return []
        return [wake for due in gate.due() for wake in self._wakes(due)]

    def say(self, agent: Agent, prose: str, origin: str | None = None) -> list[str]:
        """Send what an agent wrote outside of calls; gives the channels it went to."""
        registry = self._world.channel_registry
        if registry is None:
            return []
        unaddressed = None if agent.explicit_prose else origin or agent.channel
        sent: list[str] = []
        for said in segments(prose, origin=unaddressed, home=agent.home):
            if said.channel is not None:
                registry.publish(said.channel, agent.name, said.text)
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

    def _wakes(self, due: Due) -> list[Wake]:
        """Who wakes for a deadline: its owner, or everybody for the host's own."""
        if due.purpose == SLEEP:
            return []
        if due.purpose == BEAT and self._world.heartbeat is not None and due.note:
            self._world.heartbeat.beat(due.owner, due.note)
        if due.purpose == SELF_WAKE:
            why = f"it asked to be woken ({due.note})" if due.note else "it asked to be"
        elif due.purpose.startswith(DEBOUNCE):
            why = f"the rule {due.purpose.removeprefix(DEBOUNCE)!r} says it's quiet now"
        else:
            why = "its heart beats"
        owners = (
            [due.owner] if due.owner else [each.name for each in self._world.agents]
        )
        return [Wake(owner, why) for owner in owners]
