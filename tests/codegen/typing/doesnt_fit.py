"""Hosts and handlers that don't fit their table: each line says who must complain.

`# mypy:` and `# pyright:` are followed by what the message names; `# both:` is for two.
"""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import assert_never

import more_tools
import tools
from toolroute import Refusal, ToolCall, ToolResult
from toolroute.runtime import Context


class Handlers:
    def carrier(self, route: tools.Carrier, context: Context) -> ToolResult:
        return ToolResult("")

    def file(self, route: tools.File, context: Context) -> ToolResult:
        return ToolResult("")


class WithOwned(Handlers):
    def owned(self, route: tools.Owned, context: Context) -> ToolResult:
        return ToolResult("")


class WrongRoute(Handlers):
    def owned(self, route: tools.File, context: Context) -> ToolResult:
        return ToolResult("")


class WrongAnswer(Handlers):
    def owned(self, route: tools.Owned, context: Context) -> str:
        return ""


tools.bind(WithOwned())
tools.bind(Handlers())  # both: owned
tools.bind(WrongRoute())  # both: owned
tools.bind(WrongAnswer())  # both: owned


class MoreHandlers:
    def carrier(self, route: more_tools.Carrier, context: Context) -> ToolResult:
        return ToolResult("")

    def file(self, route: more_tools.File, context: Context) -> ToolResult:
        return ToolResult("")

    def owned(self, route: more_tools.Owned, context: Context) -> ToolResult:
        return ToolResult("")


more_tools.bind(MoreHandlers())  # both: journal


def all_arms(route: tools.ServerRoute) -> str:
    match route:
        case tools.Carrier():
            return "carrier"
        case tools.File():
            return "file"
        case tools.Owned():
            return "owned"
        case _:
            assert_never(route)


def an_arm_removed(route: tools.ServerRoute) -> str:
    match route:
        case tools.Carrier():
            return "carrier"
        case tools.Owned():
            return "owned"
        case _:
            assert_never(route)  # both: File


def the_same_arms(route: more_tools.ServerRoute) -> str:
    match route:
        case more_tools.Carrier():
            return "carrier"
        case more_tools.File():
            return "file"
        case more_tools.Owned():
            return "owned"
        case _:
            assert_never(route)  # both: Journal


class Listing:
    primary = True

    def owner(self, name: str) -> Fraction | None:
        return None

    def list_file(self) -> Iterable[str]:
        return ()

    def list_owned(self) -> Iterable[str]:
        return ()


class Checking(Listing):
    def check(self, call: ToolCall, caller: tools.Caller) -> Refusal | None:
        return None


class WithoutInner(Checking):
    def __init__(self) -> None:
        self.folder: Path | None = None


class Whole(WithoutInner):
    def inner(self, call: ToolCall) -> ToolCall | None:
        return None


class OtherFolder(Checking):
    def __init__(self) -> None:
        self.folder = "a folder"

    def inner(self, call: ToolCall) -> ToolCall | None:
        return None


class GuardOfNames(Listing):
    def __init__(self) -> None:
        self.folder: Path | None = None

    def inner(self, call: ToolCall) -> ToolCall | None:
        return None

    def check(self, name: str, caller: tools.Caller) -> None:
        return None


call = ToolCall("1", "x")
tools.decide(call, "turn", Whole())
tools.decide(call, "nobody", Whole())  # both: nobody
tools.decide(call, "turn", WithoutInner())  # both: inner
tools.decide(call, "turn", OtherFolder())  # both: folder
tools.decide(call, "turn", GuardOfNames())  # both: check

tools.said_no("x")  # both: who|positional
tools.said_no()  # both: who
tools.said_no(whom="x")  # both: whom


def reads(route: tools.File, click: tools.Click, context: Context) -> None:
    print(route.folder.name)
    route.folder = Path()  # both: folder
    route.call = call  # both: call
    route.target  # both: target
    tools.dispatch(click, context, WithOwned())  # both: Click
