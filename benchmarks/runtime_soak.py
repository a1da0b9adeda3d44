"""A million calls in one process, on every road: memory stays flat, nothing is left.

python benchmarks/runtime_soak.py [CALLS]

Prints the process's memory ten times on the way. Exits 1 where it grew by more than a
tenth from the second time to the last, or where a task, a call or a seat is left.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from toolroute import Refusal, Road, ToolCall, ToolResult
from toolroute.routing import Answering, Bound, ClientPlane, ServerPlane
from toolroute.runtime import Context, Exchange, Limits, PuppetError, Runtime

CALLS: Final = 1_000_000
LOOKS: Final = 10
MOST: Final = 1.1
ROADS: Final[dict[str, Road]] = {
    "turn": "turn",
    "script": "script",
    "host": "host",
    "puppet": "puppet",
    "module": "module",
}
NO: Final = Refusal("no", "TOOL_REFUSED", "no", "no")


class Step(ServerPlane):
    """Whatever runs here."""

    __slots__ = ()
    kind = "step"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


class Page(ClientPlane):
    """Whatever runs in a page."""

    __slots__ = ()
    kind = "page"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


class Window:
    """Stores nothing, since memory is what is watched."""

    def status(self, _agent: str, /) -> str:
        """Always idle."""
        return "idle"

    def store(self, _agent: str, _exchange: Exchange, /) -> None:
        """Nothing."""

    def deliver(self, _agent: str, _message: Any, /) -> None:
        """Nothing."""


async def _later(context: Context) -> ToolResult:
    await asyncio.sleep(0)
    return ToolResult({"key": context.key})


async def _waits(context: Context) -> ToolResult:
    return ToolResult(list(await context.others(but=["waits"])))


async def _script(context: Context) -> ToolResult:
    async with context.script() as script:
        answer = await script.call(ToolCall("", "now"))
    return ToolResult(answer.content)


async def _hangs() -> ToolResult:
    await asyncio.get_running_loop().create_future()
    raise AssertionError


def run(route: Step, context: Context) -> Answering:
    """Now, later, after the others, by a script, with an error, or never."""
    match route.call.name:
        case "later":
            return _later(context)
        case "waits":
            return _waits(context)
        case "script":
            return _script(context)
        case "raises":
            raise ValueError
        case "hangs":
            return _hangs()
        case _:
            return ToolResult("now")


def decide(call: ToolCall, *_: Any) -> Step | Page | Refusal:
    """By the name."""
    if call.name == "no":
        return NO
    return Page(call) if call.name == "page" else Step(call)


def runtime() -> Runtime[str, None, Any]:
    """A host in memory."""
    names = ["now", "later", "raises", "hangs", "no"]
    bound: Bound[str, None, Step] = Bound(
        decide, lambda *_: names, run, ROADS, frozenset(), "soak"
    )
    limits = Limits(at_once=4, seconds=30)
    return Runtime(bound, lambda _: None, limits=limits, window=Window())


def _calls(*names: str) -> list[ToolCall]:
    return [ToolCall("id", name, {"n": number}) for number, name in enumerate(names)]


async def lap(host: Runtime[str, None, Any], number: int) -> int:
    """Some of everything, by a new agent; how many calls that was."""
    agent = f"agent {number}"
    calls = _calls("now", "waits", "later", "script", "raises", "no", "waits", "page")
    async with host.turn(agent) as turn:
        one = turn.round(calls)
        await one.run()
        one.post(7, "posted")
        one.post(7, "again")
        await one.complete()
        two = turn.round(_calls("hangs", "later", "later", "later", "later", "page"))
        running = asyncio.ensure_future(two.run())
        await asyncio.sleep(0)
        host.deliver(agent, "hello")
        two.cancel()
        await running
    awaited = host.host(agent)
    for call in _calls("now", "later", "raises", "no"):
        await awaited.call(call)
    under_way = awaited.start(ToolCall("", "hangs"))
    under_way.cancel()
    await under_way
    module = host.module(agent)
    await module.call(ToolCall("", "now"), agent=agent)
    module.close()
    for call in _calls("later", "no"):
        try:
            await host.puppet(agent).call(call)
        except PuppetError:
            continue
    return len(calls) + 1 + 6 + 4 + 1 + 1 + 2


def resident() -> int:
    """Bytes of memory that the process has."""
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * 4096


async def soak(calls: int, look: Callable[[int], object]) -> list[str]:
    """Make so many calls, looking ten times; what is left at the end, if anything."""
    async with runtime() as host:
        made = number = looked = 0
        while made < calls:
            made += await lap(host, number)
            number += 1
            if made * LOOKS >= calls * (looked + 1):
                looked += 1
                gc.collect()
                look(made)
        core = host._core  # noqa: SLF001 -- nothing public shows what nobody should see
        await asyncio.sleep(0)
        left = {"call": core.runner.calls, "task": core.runner.tasks}
        left |= {"seat": set(core.seats._seats), "turn": core.turns}  # noqa: SLF001
        left["other task"] = asyncio.all_tasks() - {asyncio.current_task()}
        return [what for what, some in left.items() if some]


def main(arguments: Sequence[str]) -> int:
    """Soak, and say how it went."""
    calls = int(arguments[0]) if arguments else CALLS
    began = time.monotonic()
    sizes: list[int] = []

    def look(made: int) -> None:
        sizes.append(resident())
        print(f"{made:>9,} calls  {sizes[-1] / 2**20:6.1f} MiB", flush=True)

    left = asyncio.run(soak(calls, look))
    grew = sizes[-1] / sizes[1]
    print(f"grew by {grew:.3f} (at most {MOST}), in {time.monotonic() - began:.0f} s")
    for what in left:
        print(f"a {what} is left")
    return 1 if left or grew > MOST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
