"""Toolsets: names that are kept out of an agent's way until it opens them.

A toolset is a matter of presentation, not of permission: a tool in a closed one can
still be called by its own name, where the table and the agent's allow-list let it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute._text import one_line
from toolroute_host._arguments import optional_object, required_text, wrong
from toolroute_host._kept import Clock, Kept
from toolroute_host.store import Store

__all__ = ["Toolset", "Toolsets"]

OPEN: Final = "toolsets--open"
ACT: Final = "toolsets--act"


@final
@dataclass(frozen=True, slots=True)
class Toolset:
    """A name for some tools."""

    name: str
    tools: tuple[str, ...]
    doc: str = ""


@final
class Toolsets(Kept):
    """The host's toolsets, and which of them are open to whom."""

    def __init__(
        self, store: Store, now: Clock, toolsets: Iterable[Toolset] = ()
    ) -> None:
        super().__init__(store, now)
        self._toolsets = {toolset.name: toolset for toolset in toolsets}
        self._of_tool: dict[str, list[str]] = {}
        for toolset in self._toolsets.values():
            for tool in toolset.tools:
                self._of_tool.setdefault(tool, []).append(toolset.name)

    def inner(self, call: ToolCall, owner: str) -> ToolCall | None:
        """The call that `toolsets--act` carries, when nothing closed holds its tool.

        A tool in no toolset is behind nothing, so it is reached too; the table says
        what becomes of it, in its own name.
        """
        tool, arguments = call.input.get("tool"), call.input.get("input")
        if call.name != ACT or not isinstance(tool, str) or not tool:
            return None
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict) or self._closed(tool, owner) is not None:
            return None
        return ToolCall(call.id, tool, cast("dict[str, Any]", arguments))

    def tool(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `toolsets--open`, or a `toolsets--act` that carries no call."""
        if call.name == OPEN:
            return self._opened(call, owner)
        tool = required_text(call, "tool")
        optional_object(call, "input")
        closed = self._closed(tool, owner)
        if closed is None:  # opened meanwhile, so the call is good when made again
            raise ToolError(
                f"{one_line(tool)} wasn't called: call it again.", retry="yes"
            )
        raise ToolError(
            f"{tool} is in [{closed}], which isn't open: "
            f'toolsets--open {{toolset:"{closed}"}} opens it. Nothing was sent.',
            retry="with-changes",
        )

    def open_to(self, owner: str) -> frozenset[str]:
        """The names of the toolsets that are open to this owner."""
        rows = self._store.read(
            "SELECT toolset FROM open_toolsets WHERE owner = ?", owner
        )
        return frozenset(name for (name,) in rows)

    def hidden(self, owner: str) -> frozenset[str]:
        """The tools that are in toolsets, none of which is open to this owner."""
        there = self.open_to(owner)
        return frozenset(
            tool for tool, within in self._of_tool.items() if there.isdisjoint(within)
        )

    def _closed(self, tool: str, owner: str) -> str | None:
        within = self._of_tool.get(tool, [])
        return (
            None
            if not self.open_to(owner).isdisjoint(within)
            else next(iter(within), None)
        )

    def _opened(self, call: ToolCall, owner: str) -> ToolResult:
        name = required_text(call, "toolset")
        toolset = self._toolsets.get(name)
        if toolset is None:
            there = ", ".join(self._toolsets) or "none"
            raise wrong(call, "toolset", f"names no toolset. There is: {there}.")
        with self._store.change() as db:
            db.execute(
                "INSERT OR IGNORE INTO open_toolsets VALUES (?, ?)", (owner, name)
            )
        return ToolResult({"opened": name, "tools": list(toolset.tools)})
