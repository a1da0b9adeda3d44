"""The agents that live on this host, and the forks that conversations have."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from toolroute_host.store import Store

__all__ = ["Agent", "Agents"]

BETWEEN: Final = "@"
"""Stands between the name of a fork's parent and its home channel."""


@final
@dataclass(frozen=True, slots=True)
class Agent:
    """What the host knows of one agent.

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
    """The agents by name: those of the configuration, and the forks that are kept."""

    def __init__(self, store: Store, agents: Iterable[Agent] = ()) -> None:
        self._store = store
        self._by_name: dict[str, Agent] = {}
        for agent in agents:
            self.add(agent)
        for parent, home in store.read("SELECT parent, home FROM forks ORDER BY name"):
            if parent in self._by_name:  # else its parent left the configuration
                self._fork(parent, home)

    def add(self, agent: Agent) -> None:
        """Let an agent in; a name is one agent's."""
        if agent.name in self._by_name:
            raise ValueError(f"there is an agent named {agent.name!r} already")
        self._by_name[agent.name] = agent

    def fork(self, parent: str, home: str) -> Agent:
        """The fork of an agent for the conversation on a channel, made if need be.

        It may call what its parent may, and keeps to the channel.
        """
        if self[parent].home is not None:
            raise ValueError(f"{parent} is a fork itself, and a fork has none")
        fork = self._fork(parent, home)
        with self._store.change() as db:
            row = (fork.name, parent, home)
            db.execute("INSERT OR IGNORE INTO forks VALUES (?, ?, ?)", row)
        return fork

    def remove(self, name: str) -> None:
        """Let an agent go, a fork for good; its window is kept."""
        del self._by_name[name]
        with self._store.change() as db:
            db.execute("DELETE FROM forks WHERE name = ?", (name,))

    def get(self, name: str) -> Agent | None:
        """The agent of that name, if there is one."""
        return self._by_name.get(name)

    def _fork(self, parent: str, home: str) -> Agent:
        name = f"{parent}{BETWEEN}{home}"
        fork = replace(self[parent], name=name, primary=False, home=home, channel=None)
        known = self._by_name.setdefault(name, fork)
        if known.home != home:
            raise ValueError(f"there is an agent named {name!r} already, and no fork")
        return known

    def __getitem__(self, name: str) -> Agent:
        """The agent of that name; an unknown one is a `KeyError`."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[Agent]:
        return iter(tuple(self._by_name.values()))
