"""The agents that live on this host."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

__all__ = ["Agent", "Agents"]


@final
@dataclass(frozen=True, slots=True)
class Agent:
    """What the host's configuration says of one agent.

    `home` is the channel that a conversation fork is bound to; an agent with one is a
    fork. `channel` is where another agent's unaddressed text goes. `allowed_tools` of
    `None` allows every tool, an empty set none.
    """

    name: str
    primary: bool = False
    home: str | None = None
    channel: str | None = None
    allowed_tools: frozenset[str] | None = None
    explicit_prose: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("an agent has a name")
        if self.primary and self.home is not None:
            raise ValueError(f"{self.name} is the primary agent, so it isn't a fork")

    @property
    def voice(self) -> str | None:
        """The channel that its unaddressed text goes to, if there's one."""
        return self.home or self.channel


@final
class Agents:
    """The agents by name."""

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        self._by_name: dict[str, Agent] = {}
        for agent in agents:
            self.add(agent)

    def add(self, agent: Agent) -> None:
        """Let an agent in; a name is one agent's."""
        if agent.name in self._by_name:
            raise ValueError(f"there is an agent named {agent.name!r} already")
        self._by_name[agent.name] = agent

    def remove(self, name: str) -> None:
        """Let an agent go."""
        del self._by_name[name]

    def get(self, name: str) -> Agent | None:
        """The agent of that name, if there is one."""
        return self._by_name.get(name)

    def __getitem__(self, name: str) -> Agent:
        """The agent of that name; an unknown one is a `KeyError`."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[Agent]:
        return iter(tuple(self._by_name.values()))
