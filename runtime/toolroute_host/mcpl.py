"""The tool servers that are connected, and which of them owns a name.

A server's tools are called `PREFIX--TOOL`. Prefixes may nest (`game`, `game--eu`), so a
name can lie under several: it is the server's that listed it, else the one's with the
longest prefix. Which server connected first never matters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Protocol, final

from toolroute import ToolResult

__all__ = ["Connection", "McplRegistry", "Server", "Target", "ToolPolicy"]


class Connection(Protocol):
    """A live connection to a tool server."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """What the server answers; an error of the server's own is an error result."""
        ...


@final
@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """Which of a server's tools may be called: globs over the server's own names."""

    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()

    def permits(self, tool: str) -> bool:
        """Whether a tool may be called; `deny` goes before `allow`."""
        return _any(tool, self.allow) and not _any(tool, self.deny)


@final
@dataclass(frozen=True, slots=True)
class Server:
    """A connected server: its tools as it lists them, by its own names."""

    name: str
    prefix: str
    tools: frozenset[str]
    connection: Connection
    policy: ToolPolicy = ToolPolicy()

    def __post_init__(self) -> None:
        if not all(self.prefix.split("--")):
            raise ValueError(f"a server can't have the prefix {self.prefix!r}")

    @property
    def lead(self) -> str:
        """What the names of its tools begin with."""
        return f"{self.prefix}--"


@final
@dataclass(frozen=True, slots=True)
class Target:
    """The server that a name is for, and the tool's name there."""

    server: Server
    tool: str


@final
class McplRegistry:
    """The connected servers by name. Prefixes are unique."""

    def __init__(self) -> None:
        self._servers: dict[str, Server] = {}

    def connect(self, server: Server) -> None:
        """Take a server in, or its new list of tools where it's in already."""
        for other in self._servers.values():
            if other.prefix == server.prefix and other.name != server.name:
                raise ValueError(
                    f"the prefix {server.prefix} is {other.name}'s already, "
                    f"so {server.name} can't have it"
                )
        self._servers[server.name] = server

    def disconnect(self, name: str) -> None:
        """Let a server go, if it's in."""
        self._servers.pop(name, None)

    def owner(self, name: str) -> Target | None:
        """The target of a name, or `None` when it lies under no server."""
        under = [
            Target(server, name.removeprefix(server.lead))
            for server in self._servers.values()
            if name.startswith(server.lead) and name != server.lead
        ]
        return max(under, key=_claim, default=None)

    def names(self) -> list[str]:
        """Every tool that a server lists and that it gets the calls for."""
        return [
            name
            for server in self._servers.values()
            for name in (f"{server.lead}{tool}" for tool in sorted(server.tools))
            if self._reaches(name, server)
        ]

    def _reaches(self, name: str, server: Server) -> bool:
        target = self.owner(name)
        return target is not None and target.server is server

    def __iter__(self) -> Iterator[Server]:
        return iter(tuple(self._servers.values()))


def _claim(target: Target) -> tuple[bool, int]:
    return target.tool in target.server.tools, len(target.server.prefix)


def _any(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
