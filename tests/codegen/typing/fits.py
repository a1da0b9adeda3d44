"""Hosts and handlers that fit their table: no checker says a word."""

from collections.abc import Awaitable, Iterable
from fractions import Fraction
from pathlib import Path

import tools
from toolroute import Refusal, ToolCall, ToolResult
from toolroute.routing import ClientPlane
from toolroute.runtime import Context


class Here:
    """A host that always has a folder."""

    def __init__(self) -> None:
        self.folder = Path()
        self.primary = True

    def owner(self, name: str) -> Fraction | Refusal | None:
        return tools.said_no(who=name) if name == "a--b" else None

    def check(self, call: ToolCall, caller: tools.Caller) -> None:
        print(call, caller)

    def inner(self, call: ToolCall) -> ToolCall | None:
        return None

    def list_file(self) -> tuple[str, ...]:
        return ()

    def list_owned(self) -> Iterable[str]:
        yield "a--b"


class There(Here):
    """Handlers, one of them asynchronous, that know what they get."""

    def carrier(self, route: tools.Carrier, context: Context) -> ToolResult:
        return ToolResult(route.call.name)

    async def file(self, route: tools.File, context: Context) -> ToolResult:
        path: Path = route.folder / "x"
        return ToolResult(str(path))

    def owned(
        self, route: tools.Owned, context: Context
    ) -> ToolResult | Awaitable[ToolResult]:
        target: Fraction = route.target
        return ToolResult(str(target))


host: tools.Host = Here()
bound = tools.bind(There())
decided = tools.decide(ToolCall("1", "file_x"), "turn", Here())
match decided:
    case Refusal():
        text: str = decided.text
    case ClientPlane():
        click: tools.Click = decided
    case _:
        result = bound.run(decided, None)
names: list[str] = tools.surface("host", host)
