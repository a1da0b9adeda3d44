"""How tests run scripts, and read what came of them."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Answer, Context
from toolroute_host.scripts import ScriptLimits, ScriptRunner

if TYPE_CHECKING:
    from .conftest import Roads


def limited(roads: "Roads", **limits: Any) -> None:
    roads.world.code_execution = ScriptRunner(
        ScriptLimits(**limits), store=roads.world.store
    )


def printed(answer: Answer) -> str:
    assert not answer.is_error, answer.content
    assert answer.content["error"] is None
    output: str = answer.content["output"]
    return output


def error(answer: Answer) -> str:
    assert answer.is_error
    words: str = answer.content["error"]
    return words


def refused(answer: Answer) -> str:
    words: str = answer.content["error"]["message"]
    return words


def execute(roads: "Roads", code: str, **given: Any) -> Answer:
    return roads.turn("ada", "code_execution", code=code, **given)


def coded(code: str, **given: Any) -> ToolCall:
    return ToolCall("1", "code_execution", {"code": code, **given})


WAITS = "print(call_tool('slow--wait', who='{}'))"


class Slow:
    """A module whose tool answers when a test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.who = ""

    @property
    def name(self) -> str:
        return "slow"

    def tools(self) -> tuple[str, ...]:
        return ("wait",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        del tool, context
        self.who = call.input["who"]
        self.asked.set()
        await self.go.wait()
        return ToolResult(f"for {call.input['who']}")


PROCESSES = "it starts no processes and opens no connections. Call a tool instead.\n"


def environment(pid: str) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()
