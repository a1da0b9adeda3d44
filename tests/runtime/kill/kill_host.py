"""A busy host on the real runtime, made to be killed.

It leaves a trace outside its ledger, in a file of its own, a line a fact:

    W owner      who it is in the ledger
    O key        the call was told as opened, S key as started
    H key        the call's handler has begun, before it does anything else
    A key kind   the answer was told; D key kind, its caller has it
    R key kind   opening the ledger settled this call of somebody dead
"""

import asyncio
import os
import random
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final, Literal

from toolroute import Refusal, Road, ToolCall, ToolError, ToolResult
from toolroute.routing import Answering, Bound, ClientPlane, ServerPlane
from toolroute.runtime import Answer, Context, Event, Limits, Runtime, Turn
from toolroute.runtime._sqlite import SqliteLedger

NO: Final = Refusal("no", "TOOL_REFUSED", "no", "No, so nothing was done.")
ROADS: Final[dict[str, Road]] = {"turn": "turn", "script": "script", "host": "host"}
WORK: Final = ("inline", "waits", "sleeps", "raises", "refuses", "threaded", "scripted")
_MARKS: Final = {"opened": "O", "started": "S", "answered": "A"}


class Step(ServerPlane):
    """Runs on the event loop."""

    __slots__ = ()
    kind = "step"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


class Threaded(ServerPlane):
    """Runs in a thread."""

    __slots__ = ()
    kind = "threaded"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


class Page(ClientPlane):
    """Is handed out, and posted from another thread."""

    __slots__ = ()
    kind = "page"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


def decide(
    call: ToolCall,
    caller: str,
    _host: None,
    _in_turn: bool | None,  # noqa: FBT001 -- the generated module's own shape
) -> Step | Threaded | Page | Refusal:
    """By its name."""
    if call.name == "page":
        return Page(call) if caller == "turn" else NO
    if call.name == "threaded":
        return Threaded(call)
    return NO if call.name == "refused" else Step(call)


@dataclass
class Trace:
    """Lines in the file, each there as soon as it's written."""

    path: Path
    _file: int = field(init=False)

    def __post_init__(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._file = os.open(self.path, flags, 0o600)

    def __call__(self, *facts: str) -> None:
        """One fact."""
        os.write(self._file, f"{' '.join(facts)}\n".encode())

    def event(self, event: Event) -> None:
        """What the runtime tells."""
        mark = "R" if event.cause == "recovered" else _MARKS.get(event.what)
        if mark is not None:
            kind = [event.answer.kind] if event.answer else []
            self(mark, event.call.key, *kind)


@dataclass
class Handlers:
    """One for each name; each says that it has begun before it does anything."""

    trace: Trace

    def run(self, route: Step | Threaded, context: Context) -> Answering:
        """The generated module's dispatch."""
        self.trace("H", context.key)
        match route.call.name:
            case "waits":
                return self.wait(0)
            case "sleeps":
                return self.wait(0.002)
            case "scripted":
                return self.script(context)
            case "raises":
                raise ValueError("the valve is stuck")
            case "refuses":
                raise ToolError("Open the tap first.", retry="after-delay")
            case _:
                return ToolResult({"done": route.call.name})

    async def wait(self, seconds: float) -> ToolResult:
        """Some time passes, or only a turn of the loop."""
        await asyncio.sleep(seconds)
        return ToolResult("waited")

    async def script(self, context: Context) -> ToolResult:
        """Calls two tools at once."""
        async with context.script() as script:
            one, two = script.start(made("waits")), script.start(made("inline"))
            return ToolResult([(await one).kind, (await two).kind])


def made(name: str) -> ToolCall:
    """A call of this name."""
    return ToolCall(f"toolu_{name}", name, {"of": name})


@dataclass
class Busy:
    """Keeps a runtime busy on all its roads until it is told to stop."""

    runtime: Runtime[str, None, Any]
    trace: Trace
    chance: random.Random
    name: str
    rest: float
    stopping: bool = False
    _keys: Iterator[int] = field(default_factory=count)

    async def main(self) -> None:
        """All at once."""
        async with self.runtime:
            await asyncio.gather(
                self.again(lambda: self.turn("anna")),
                self.again(lambda: self.turn("berta")),
                self.again(self.awaited),
            )

    async def again(self, work: Callable[[], Awaitable[None]]) -> None:
        """Until told to stop."""
        while not self.stopping:
            await work()
            await asyncio.sleep(self.rest)

    async def turn(self, agent: str) -> None:
        """A turn of a few rounds; now and then somebody cancels it."""
        async with self.runtime.turn(agent) as turn:
            for _ in range(self.chance.randrange(1, 4)):
                await self.round(turn)

    async def round(self, turn: Turn) -> None:
        """A round of more calls than run at once, some of them the page's."""
        names = [
            self.chance.choice((*WORK, "page", "refused"))
            for _ in range(self.chance.randrange(1, 9))
        ]
        key = self.key()
        one = turn.round([made(name) for name in names], key=key)
        running = asyncio.ensure_future(one.run())
        out = one.pending
        pages = threading.Thread(
            target=lambda: [one.post(each.place, "clicked") for each in out]
        )
        pages.start()
        if self.chance.random() < 0.2:
            await asyncio.sleep(0.001)
            one.cancel()
        await running
        for place, answer in enumerate(await one.complete()):
            self.got(f"{key}.{place}", answer)
        pages.join()

    async def awaited(self) -> None:
        """Some calls of the host's own, at once."""
        host = self.runtime.host("anna")
        names = self.chance.choices(("inline", "waits", "threaded", "raises"), k=4)
        calls = [(self.key(), made(name)) for name in names]
        answers = [host.call(call, key=key) for key, call in calls]
        for (key, _), answer in zip(calls, await asyncio.gather(*answers), strict=True):
            self.got(key, answer)

    def key(self) -> str:
        """A name for a call that no other call has."""
        return f"{self.name}/{next(self._keys)}"

    def got(self, key: str, answer: Answer) -> None:
        """Its caller has it."""
        self.trace("D", key, answer.kind)


def host(
    ledger: Path,
    trace: Path,
    *,
    seed: int,
    durable: Literal["process", "power"],
    rest: float = 0.0,
    point: int | None = None,
    record: int | None = None,
) -> None:
    """Be busy on `ledger` until killed, or told to stop.

    It kills itself at a `point` of its code, or right before or after a `record`.
    """
    if point is not None:
        die_at(point)
    left = Trace(trace)
    kept = SqliteLedger(ledger, durable=durable, keep=None, timeout=20.0)
    if record is not None:
        die_around(kept, record)
    with kept:
        left("W", kept.owner)
        limits = Limits(at_once=3, in_thread=frozenset({"threaded"}))
        run = Handlers(left).run
        bound = Bound(decide, lambda *_: (), run, ROADS, frozenset(), "kill")
        runtime = Runtime(
            bound, lambda _: None, ledger=kept, observers=[left.event], limits=limits
        )
        busy = Busy(runtime, left, random.Random(seed), kept.owner, rest)  # noqa: S311
        signal.signal(signal.SIGTERM, lambda *_: setattr(busy, "stopping", True))
        signal.signal(signal.SIGALRM, say_where)
        asyncio.run(busy.main())


def say_where(*_: object) -> None:
    """Of a host that doesn't end: where each of its tasks waits."""
    for task in asyncio.all_tasks():
        task.print_stack()
    os._exit(1)


def die_at(point: int) -> None:
    """Kill this process at its `point`th call or return of any function from now on."""
    left = count(point, -1)

    def tick(_frame: FrameType, _event: str, _what: object) -> None:
        if next(left) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(tick)


def die_around(ledger: Any, record: int) -> None:
    """Kill this process before the `record`th half of a record: an odd one is after."""
    whole, left = ledger.record, count(record, -1)

    def record_or_die(*what: Any) -> Any:
        if next(left) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        unkept = whole(*what)
        if next(left) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return unkept

    ledger.record = record_or_die


def opener(ledger: Path, trace: Path) -> None:
    """Open the ledger, say what was settled, and close it."""
    left = Trace(trace)
    with SqliteLedger(ledger, keep=None, timeout=20.0) as kept, suppress(OSError):
        for entry in kept.recovered:
            left("R", entry.opened.key, str(entry.kind))
