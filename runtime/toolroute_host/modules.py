"""Modules: parts that others add to the host, each with tools under its own name."""

from collections.abc import Iterable
from typing import Protocol, final

from toolroute import ToolCall, ToolError
from toolroute._text import one_line
from toolroute.routing import Answering
from toolroute.runtime import Context

__all__ = ["Module", "Modules"]


class Module(Protocol):
    """A part that answers calls named `NAME--TOOL`."""

    @property
    def name(self) -> str:
        """What its tools' names begin with."""
        ...

    def tools(self) -> Iterable[str]:
        """The names of its tools, without its own before them."""
        ...

    def call(self, tool: str, call: ToolCall, context: Context) -> Answering:
        """Answer a call of one of its tools."""
        ...


@final
class Modules:
    """The modules by name."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self._by_name: dict[str, Module] = {}
        for module in modules:
            self.add(module)

    def add(self, module: Module) -> None:
        """Take a module in; a name is one module's."""
        if not module.name or "--" in module.name:
            raise ValueError(f"a module can't be named {module.name!r}")
        if module.name in self._by_name:
            raise ValueError(f"there is a module named {module.name!r} already")
        self._by_name[module.name] = module

    def names(self) -> list[str]:
        """Every module's tools, by the names that calls have."""
        return [
            f"{module.name}--{tool}"
            for module in self._by_name.values()
            for tool in module.tools()
        ]

    def call(self, name: str, tool: str, call: ToolCall, context: Context) -> Answering:
        """Answer a call of a module's tool."""
        module = self._by_name.get(name)
        if module is None:
            raise ToolError(f"Module not found: {one_line(name)}")
        if tool not in set(module.tools()):
            there = ", ".join(module.tools())
            raise ToolError(
                f"{name} has no tool named {one_line(tool)}. It has {there}.",
                retry="with-changes",
            )
        return module.call(tool, call, context)
