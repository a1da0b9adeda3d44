"""`code_execution`: an agent's script, whose tool calls come back here as the script's.

A script runs in a process of its own, with nothing in its environment, an empty folder
and limits on time, memory, output and files. That keeps mistakes in, and is no sandbox:
a script that means to get out can. Run the host as a user who may lose what it holds.
"""

import asyncio
import dataclasses
import logging
import sqlite3
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, assert_never, final

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
from toolroute_host._script_ends import ScriptEnds, ScriptRow, State
from toolroute_host._script_process import Ended, ScriptLimits
from toolroute_host.store import Store

__all__ = ["ScriptLimits", "ScriptRunner"]

ACTIONS: Final = ("run", "status", "cancel")
LOG: Final = logging.getLogger("toolroute_host")

KEEPING: Final = 1.0
"""Seconds between two times that what a background script printed is kept."""

STOPPED: Final = "the script was stopped before its end"
LOST: Final = (
    "nobody saw how the script ended: its host was gone first. It may have run to its "
    "end, and what it did may have taken effect: check before running it again"
)


@final
@dataclass(frozen=True, slots=True)
class _Background:
    task: asyncio.Task[None]
    printed: bytearray


@final
class ScriptRunner:
    """Runs scripts in front, where the call waits, and in the background.

    How those in the background ended is kept in the store, over a restart too.
    """

    def __init__(
        self,
        limits: ScriptLimits | None = None,
        *,
        at_once: int = 4,
        store: Store,
    ) -> None:
        self._limits = limits or ScriptLimits()
        self._at_once = at_once
        self._ends = ScriptEnds(store)
        self._running = 0
        self._background: dict[str, _Background] = {}

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
        name = self._ends.begin(owner) if background else None
        printed = bytearray()
        running = self._made(code, context.script(), limits, printed)
        if name is None:
            return _result(await running)
        task = asyncio.create_task(self._kept(name, running, printed))
        self._background[name] = _Background(task, printed)
        task.add_done_callback(lambda _: self._background.pop(name))
        return ToolResult({"script": name, "running": True})

    async def _made(
        self, code: str, script: Script, limits: ScriptLimits, printed: bytearray
    ) -> Ended:
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
                return await _script_process.run(code, call, limits, printed)
        finally:
            self._running -= 1

    async def _kept(
        self, name: str, running: Coroutine[Any, Any, Ended], printed: bytearray
    ) -> None:
        """Run one in the background, and keep what it prints and how it ends."""
        keeping = asyncio.create_task(self._keep(name, printed))
        try:
            self._write(name, "ended", await running)
        except asyncio.CancelledError:
            self._write(name, "cancelled", Ended(_text(printed), STOPPED))
            raise
        except OSError as error:
            words = f"the script couldn't be run: {error.strerror}"
            self._write(name, "ended", Ended(_text(printed), words))
        finally:
            keeping.cancel()

    async def _keep(self, name: str, printed: bytearray) -> None:
        size = 0
        while True:
            await asyncio.sleep(KEEPING)
            if len(printed) != size:
                size = len(printed)
                self._write(name, "running", Ended(_text(printed), None))

    def _write(self, name: str, state: State, ended: Ended) -> None:
        try:
            self._ends.keep(name, state, ended)
        except sqlite3.Error as error:
            LOG.warning("What %s printed couldn't be kept: %s", name, error)

    def _status(self, call: ToolCall, owner: str) -> ToolResult:
        name, row = self._named(call, owner)
        printed = {"script": name, "running": False, "output": row.ended.output}
        if row.lost:
            told = {**printed, "outcome": "unknown", "error": LOST}
            return ToolResult(told, is_error=True)
        match row.state:
            case "running":
                here = self._background.get(name)
                output = row.ended.output if here is None else _text(here.printed)
                return ToolResult({**printed, "running": True, "output": output})
            case "cancelled":
                return ToolResult({**printed, "cancelled": True})
            case "ended":
                error = row.ended.error
                return ToolResult({**printed, "error": error}, error is not None)
            case _:
                assert_never(row.state)

    async def _cancel(self, call: ToolCall, owner: str) -> ToolResult:
        name, row = self._named(call, owner)
        here = self._background.get(name)
        if here is None and row.state == "running" and not row.lost:
            raise ToolError(
                f"{call.name}: {name} runs in another process of this host, which "
                "alone can cancel it. It goes on."
            )
        if here is not None:
            here.task.cancel()
            await asyncio.wait([here.task])
        return ToolResult({"script": name, "cancelled": here is not None})

    def _named(self, call: ToolCall, owner: str) -> tuple[str, ScriptRow]:
        name = call.input.get("script")
        found = self._ends.find(name, owner) if isinstance(name, str) else None
        if not isinstance(name, str) or found is None:
            shown = one_line(name) if isinstance(name, str) else "that"
            raise ToolError(
                f"{call.name}: no script of yours is named {shown}. The last ones that "
                "ran in the background are known, by the name that each was given.",
                retry="with-changes",
            )
        return name, found

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


def _text(printed: bytearray) -> str:
    return printed.decode("utf-8", "replace")
