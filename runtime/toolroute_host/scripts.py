"""`code_execution`: an agent's script, whose tool calls come back here as the script's.

A script runs in a process of its own, with nothing in its environment, an empty folder
and limits on time, memory, output and files. That keeps mistakes in, and is no sandbox:
a script that means to get out can. Run the host as a user who may lose what it holds.
"""

import asyncio
import dataclasses
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute._text import one_line
from toolroute.runtime import Context, Script
from toolroute_host import _script_process
from toolroute_host._arguments import (
    LONGEST_TEXT,
    is_positive,
    one_of,
    optional_flag,
    wrong,
)
from toolroute_host._script_process import Ended, ScriptLimits

__all__ = ["ScriptLimits", "ScriptRunner"]

ACTIONS: Final = ("run", "status", "cancel")
KEPT: Final = 50
"""Scripts that ran in the background whose ends are kept."""


@final
@dataclass(frozen=True, slots=True)
class _Background:
    owner: str
    task: asyncio.Task[Ended]


@final
class ScriptRunner:
    """Runs scripts in front, where the call waits, and in the background."""

    def __init__(self, limits: ScriptLimits | None = None, *, at_once: int = 4) -> None:
        self._limits = limits or ScriptLimits()
        self._at_once = at_once
        self._running = 0
        self._number = 0
        self._background: OrderedDict[str, _Background] = OrderedDict()

    async def run(self, call: ToolCall, context: Context) -> ToolResult:
        """Answer `code_execution`."""
        owner = context.agent or ""
        match call.input.get("action", "run"):
            case "run":
                return await self._run(call, context, owner)
            case "status":
                return self._status(call, owner)
            case "cancel":
                return await self._cancel(call, owner)
            case _:
                raise wrong(call, "action", f"must be {one_of(ACTIONS)}")

    async def close(self) -> None:
        """Stop what runs in the background, and wait until nothing is left of it."""
        tasks = [each.task for each in self._background.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, call: ToolCall, context: Context, owner: str) -> ToolResult:
        code, limits = _code(call), self._limits_of(call)
        background = optional_flag(call, "background")
        if self._running >= self._at_once:
            raise ToolError(
                f"{call.name}: {self._at_once} scripts are running, which is the most. "
                "Nothing was run.",
                retry="after-delay",
            )
        script = context.script()
        running = self._made(code, script, limits)
        if not background:
            return _result(await running)
        self._number += 1
        name = f"script_{self._number}"
        task = asyncio.create_task(running)
        self._background[name] = _Background(owner, task)
        self._forget()
        return ToolResult({"script": name, "running": True})

    async def _made(self, code: str, script: Script, limits: ScriptLimits) -> Ended:
        """Run it; its handle is its own, and is stopped with it."""
        number = 0

        async def call(name: str, given: dict[str, Any]) -> tuple[Any, bool]:
            nonlocal number
            number += 1
            answer = await script.call(ToolCall(f"script-{number}", name, given))
            return answer.content, answer.is_error

        self._running += 1
        try:
            async with script:
                return await _script_process.run(code, call, limits)
        finally:
            self._running -= 1

    def _status(self, call: ToolCall, owner: str) -> ToolResult:
        name, background = self._named(call, owner)
        if not background.task.done():
            return ToolResult({"script": name, "running": True})
        if background.task.cancelled():
            return ToolResult({"script": name, "running": False, "cancelled": True})
        ended = _result(background.task.result())
        content = {"script": name, "running": False, **ended.content}
        return ToolResult(content, ended.is_error)

    async def _cancel(self, call: ToolCall, owner: str) -> ToolResult:
        name, background = self._named(call, owner)
        was_running = not background.task.done()
        background.task.cancel()
        await asyncio.wait([background.task])
        return ToolResult({"script": name, "cancelled": was_running})

    def _named(self, call: ToolCall, owner: str) -> tuple[str, _Background]:
        name = call.input.get("script")
        found = self._background.get(name) if isinstance(name, str) else None
        if not isinstance(name, str) or found is None or found.owner != owner:
            shown = one_line(name) if isinstance(name, str) else "that"
            raise ToolError(
                f"{call.name}: no script of yours is named {shown}. A script that ran "
                "before the host was last started is forgotten.",
                retry="with-changes",
            )
        return name, found

    def _forget(self) -> None:
        """Keep the last ends only; what runs is always kept."""
        over = [name for name, each in self._background.items() if each.task.done()]
        for name in over[: max(0, len(self._background) - KEPT)]:
            del self._background[name]

    def _limits_of(self, call: ToolCall) -> ScriptLimits:
        seconds: object = call.input.get("seconds")
        most = self._limits.seconds
        if seconds is None:
            return self._limits
        if not is_positive(seconds) or seconds > most:
            raise wrong(call, "seconds", f"must be a positive number up to {most:g}")
        return dataclasses.replace(self._limits, seconds=float(seconds))


def _code(call: ToolCall) -> str:
    code = call.input.get("code")
    if not isinstance(code, str) or not code.strip():
        raise ToolError(
            "code_execution requires a non-empty `code` string", retry="with-changes"
        )
    if len(code) > LONGEST_TEXT:
        raise wrong(call, "code", f"can hold at most {LONGEST_TEXT:,} characters")
    return code


def _result(ended: Ended) -> ToolResult:
    content = {"output": ended.output, "error": ended.error}
    return ToolResult(content, is_error=ended.error is not None)
