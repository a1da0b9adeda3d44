"""A host in the middle of a round, for a test to kill: it says `started` and waits."""

import asyncio
import sys
from pathlib import Path

from parent import end_with_parent

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Context, Limits, SqliteLedger
from toolroute_host._rules import read
from toolroute_host.agents import Agent
from toolroute_host.files import FilesModule
from toolroute_host.gate import EventGate
from toolroute_host.running import runtime_of
from toolroute_host.store import Store
from toolroute_host.turns import run_round
from toolroute_host.windows import user_message
from toolroute_host.world import World

FOLDER = Path(sys.argv[1])


class Valve:
    """A module whose tool does something, says so, and never answers."""

    name = "valve"

    def tools(self) -> tuple[str, ...]:
        return ("open",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        del tool, call, context
        sys.stdout.write("started\n")
        sys.stdout.flush()
        await asyncio.Event().wait()
        raise AssertionError


async def main() -> None:
    files = FOLDER / "files"
    files.mkdir()
    store = Store(FOLDER / "host.db")
    world = World(store, agents=[Agent("ada")], modules=[FilesModule(files), Valve()])
    world.event_gate = EventGate(store, world.now)
    world.event_gate.sleep("ada", 3_600)
    world.event_gate.add_rule("ada", read("quiet", {"behavior": "defer"}))
    ledger = SqliteLedger(FOLDER / "ledger.db")
    runtime = runtime_of(world, ledger=ledger, limits=Limits(at_once=1))
    runtime.deliver("ada", user_message("Open the valve."))
    async with runtime.turn("ada") as turn:
        calls = [
            ToolCall("a", "files--write", {"path": "a.txt", "content": "written"}),
            ToolCall("b", "valve--open"),
            ToolCall("c", "files--write", {"path": "c.txt", "content": "not written"}),
        ]
        await run_round(world, turn, calls)


end_with_parent()
asyncio.run(main())
