"""A whole host on disk, kept busy on all its roads, made to be killed.

It leaves a trace outside all that it keeps, in a file of its own, a fact a line:

    ["O", id, road]       the call was told as opened
    ["H", id]             its handler has begun, before it does anything
    ["A", id, kind]       its answer was told
    ["D", id, kind]       its caller has it
    ["R", id, kind]       opening the ledger settled this call of somebody dead
    ["B", agent, ids]     a round of these is about to be asked for
"""

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

from toolroute import ToolCall, ToolResult
from toolroute.routing import Answering
from toolroute.runtime import Answer, Context, Event, PuppetError
from toolroute_host import assembly, dispatch
from toolroute_host.assembly import Hosted, opened
from toolroute_host.handlers import HostHandlers
from toolroute_host.inbox import Inbox
from toolroute_host.running import HostRuntime, runtime_of
from toolroute_host.turns import run_round
from toolroute_host.windows import user_message
from toolroute_host.world import World

CONFIG: Final = """
[agents.ada]
primary = true
[agents.bea]
[agents.fay]
home = "room"
[agents.gil]
[channels]
room = {}
log = {file = "log.jsonl"}
[scripts]
seconds = 5
"""
MARKS: Final = {"opened": "O", "answered": "A"}
SCRIPT: Final = """
call_tool("files--write", path="{path}", content="{path}")
print(call_tool("files--read", path="{path}")["content"], end="")
"""


def named(id: str, key: str) -> str:  # noqa: A002
    """What a call is known by here: its id, or a script's own call by its key."""
    return id if id.startswith("toolu_") else key


@dataclass
class Trace:
    """Lines in the file, each there as soon as it's written."""

    path: Path
    _file: int = field(init=False)

    def __post_init__(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._file = os.open(self.path, flags, 0o600)

    def __call__(self, *facts: object) -> None:
        """One fact."""
        os.write(self._file, f"{json.dumps(facts)}\n".encode())

    def event(self, event: Event) -> None:
        """What the runtime tells."""
        mark = "R" if event.cause == "recovered" else MARKS.get(event.what)
        if mark is not None:
            said = event.answer.kind if event.answer else event.call.road
            self(mark, named(event.call.call.id, event.call.key), said)


class Slow:
    """A module whose tool takes its time."""

    name = "slow"

    def tools(self) -> tuple[str, ...]:
        """Its one tool."""
        return ("wait",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        """Wait, and say so."""
        del tool, context
        await asyncio.sleep(call.input["seconds"])
        return ToolResult("waited")


@dataclass
class Busy:
    """Keeps two of a host's agents busy, as if it were all that mattered."""

    hosted: Hosted
    trace: Trace
    chance: random.Random
    name: str
    _numbers: Iterator[int] = field(default_factory=count)
    _rules: list[str] = field(default_factory=list)

    async def main(self, agents: tuple[str, str]) -> None:
        """All at once, for ever."""
        self.hosted.world.modules.add(Slow())
        await asyncio.gather(
            self.again(lambda: self.turn(agents[0])),
            self.again(lambda: self.turn(agents[1])),
            self.again(lambda: self.puppet(agents[1])),
            self.again(lambda: self.awaited(agents[0])),
            self.again(self.ticks),
        )

    async def again(self, work: Callable[[], Awaitable[None]]) -> None:
        """Never done."""
        while True:
            await work()
            await asyncio.sleep(self.chance.choice((0, 0.002, 0.01)))

    async def turn(self, agent: str) -> None:
        """A message, and a turn of a few rounds; now and then it's cancelled."""
        runtime, world = self.hosted.runtime, self.hosted.world
        runtime.deliver(agent, user_message("And now?"))
        async with runtime.turn(agent) as turn:
            for _ in range(self.chance.randrange(1, 4)):
                if not turn.live:
                    return
                calls = [self.call(agent) for _ in range(self.chance.randrange(1, 6))]
                self.trace("B", agent, [call.id for call in calls])
                running = asyncio.ensure_future(run_round(world, turn, calls))
                if self.chance.random() < 0.1:
                    await asyncio.sleep(0.002)
                    turn.cancel()
                self.got(calls, await running)

    async def puppet(self, agent: str) -> None:
        """An operator acts, where the agent is idle."""
        call = self.call(agent)
        try:
            self.got([call], [await self.hosted.runtime.puppet(agent).call(call)])
        except PuppetError as refused:
            self.trace("D", call.id, refused.answer.kind)

    async def awaited(self, agent: str) -> None:
        """The host's own calls, two at once."""
        host = self.hosted.runtime.host(agent)
        calls = [self.call(agent), self.call(agent)]
        self.got(calls, await asyncio.gather(*map(host.call, calls)))

    async def ticks(self) -> None:
        """Deadlines come, sooner than they would."""
        store = self.hosted.world.store
        with store.change() as db:
            db.execute("UPDATE deadlines SET at = at - 9 WHERE purpose = 'heartbeat'")
        list(Inbox(self.hosted.world, self.hosted.runtime).due())
        await asyncio.sleep(0.01)

    def call(self, agent: str) -> ToolCall:
        """A call that leaves its own id in what it does."""
        key = f"{self.name}_{next(self._numbers)}"
        name, given = self.chance.choice(self.choices(agent, key))
        return ToolCall(key, name, given)

    def choices(self, agent: str, key: str) -> list[tuple[str, dict[str, Any]]]:
        """What there is to do."""
        rule = self.chance.choice(self._rules) if self._rules else "none"
        self._rules = [*self._rules, key][-20:]
        said = {"channelId": "room", "content": key}
        script = SCRIPT.format(path=f"by-script-{key}.txt")
        fork = agent == "fay"
        return [
            ("journal", {"content": key}),
            ("files--write", {"path": f"{key}.txt", "content": key}),
            ("channel_publish", said),
            ("channel_publish", said if fork else {**said, "channelId": "log"}),
            ("wake_add_rule", {"name": key, "behavior": "defer"}),
            ("wake_remove_rule", {"name": rule}),
            ("drafts", {"action": "save", "content": key}),
            ("slow--wait", {"seconds": self.chance.choice((0, 0.002, 0.01))}),
            ("slow--wait", {}),
            ("no_such_tool", {}),
            ("skip_reply", {}),
            ("save_recent_image", {"path": "workspace/a.png"}),
            ("code_execution", {"code": script}),
        ]

    def got(self, calls: list[ToolCall], answers: Any) -> None:
        """Their caller has the answers."""
        each: Answer
        for call, each in zip(calls, answers, strict=True):
            self.trace("D", call.id, each.kind)


def host(
    folder: Path, trace: Path, *, seed: int, agents: tuple[str, str], point: int | None
) -> None:
    """Be busy on `folder` until killed, by itself at a `point` of its code or not."""
    left = Trace(trace)
    assembly.runtime_of = traced(left)
    asyncio.run(_busy(folder, left, seed, agents, point))


async def _busy(
    folder: Path, left: Trace, seed: int, agents: tuple[str, str], point: int | None
) -> None:
    if point is not None and point % 4 == 0:  # else not while it starts
        die_at(point)
    async with opened(folder) as hosted:
        if point is not None and point % 4:
            die_at(point)
        chance = random.Random(seed)  # noqa: S311
        await Busy(hosted, left, chance, f"toolu_{seed}").main(agents)


def traced(left: Trace) -> Callable[..., HostRuntime]:
    """`runtime_of`, with a trace of each handler before it begins."""

    def make(world: World, **more: Any) -> HostRuntime:
        bound = dispatch.bind(HostHandlers(world))

        def run(route: dispatch.ServerRoute, context: Context) -> Answering:
            left("H", named(route.call.id, context.key))
            return bound.run(route, context)

        return runtime_of(
            world, bound=bound.running(run), observers=[left.event], **more
        )

    return make


def die_at(point: int) -> None:
    """Kill this process at its `point`th call or return of any function from now on."""
    left = count(point, -1)

    def tick(_frame: FrameType, _event: str, _what: object) -> None:
        if next(left) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(tick)
