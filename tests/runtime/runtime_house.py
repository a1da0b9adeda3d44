"""A small host for the runtime's tests."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from toolroute import Refusal, Road, ToolCall, ToolResult
from toolroute.routing import Answering, Bound, ClientPlane, ServerPlane
from toolroute.runtime import (
    Context,
    Event,
    Exchange,
    Ledger,
    Limits,
    Runtime,
)

T = TypeVar("T")


class Work(ServerPlane):
    """Any call that a handler of the same name is for."""

    __slots__ = ("_capability",)
    kind = "work"

    def __init__(self, call: ToolCall, capability: Any = None) -> None:
        self._call = call
        self._capability = capability

    @property
    def capability(self) -> Any:
        return self._capability


class Over(ServerPlane):
    """Ends the turn."""

    __slots__ = ()
    kind = "over"
    ends_turn = True

    def __init__(self, call: ToolCall) -> None:
        self._call = call


class Page(ClientPlane):
    """Runs in a page."""

    __slots__ = ()
    kind = "page"

    def __init__(self, call: ToolCall) -> None:
        self._call = call


Handler = Callable[[Any, Context], Any]

OFF_TURN = Refusal("off_turn", "TOOL_REFUSED", "no", "not made in a turn")
NO = Refusal("no", "TOOL_REFUSED", "no", "no, so nothing was done")
UNKNOWN = Refusal("unknown_tool", "NO_SUCH_TOOL", "no", "no such tool")


@dataclass
class View:
    """The house, as an agent sees it."""

    house: "House"
    agent: str | None

    @property
    def capability(self) -> Any:
        return self.house.capabilities.get(self.agent)

    def guard(self, call: ToolCall) -> Refusal | None:
        self.house.checked.append((self.agent, call.name))
        if self.agent in self.house.guarded:
            return Refusal("guarded", "TOOL_REFUSED", "no", f"not for {self.agent}")
        return None


@dataclass
class House:
    """Names and what stands behind them. `page…`, `over…`, `no` are what they say."""

    handlers: Mapping[str, Handler] = field(default_factory=dict)
    decides: Callable[..., Any] | None = None
    capabilities: dict[str | None, Any] = field(default_factory=dict)
    guarded: set[str | None] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    checked: list[tuple[str | None, str]] = field(default_factory=list)

    def decide(
        self,
        call: ToolCall,
        caller: str,
        host: View,
        in_turn: bool | None,  # noqa: FBT001 -- the contract's own
    ) -> Work | Over | Page | Refusal:
        live = caller in ("turn", "script") if in_turn is None else in_turn
        refused = host.guard(call)
        if refused is not None:
            return refused
        if call.name == "no":
            return NO
        if call.name.startswith("page"):
            return Page(call) if live and caller == "turn" else OFF_TURN
        if call.name.startswith("over"):
            return Over(call) if live else OFF_TURN
        if call.name not in self.handlers:
            return UNKNOWN
        return Work(call, host.capability)

    def run(self, route: Work | Over, context: Context) -> Answering:
        self.ran.append(route.call.name)
        handler: Handler = self.handlers.get(route.call.name, well)
        return cast("Answering", handler(route, context))

    def bound(self) -> Bound[str, View, Any]:
        roads: Mapping[str, Road] = {
            "turn": "turn",
            "script": "script",
            "host": "host",
            "puppet": "puppet",
            "module": "module",
        }
        return Bound(
            decide=self.decides or self.decide,
            surface=lambda _caller, _host: sorted(
                {*self.handlers, "page", "over", "no"} - self.hidden
            ),
            run=self.run,
            roads=roads,
            guards=frozenset({"guard"}),
            fingerprint="house",
        )

    def view(self, agent: str | None) -> View:
        return View(self, agent)

    def runtime(
        self,
        *,
        ledger: Ledger | None = None,
        limits: Limits | None = None,
        window: Any = None,
        observe: bool = True,
    ) -> Runtime[str, View, Any]:
        return Runtime(
            self.bound(),
            self.view,
            ledger=ledger,
            limits=limits,
            window=window,
            observers=[self.events.append] if observe else [],
        )

    def told(self, name: str | None = None) -> list[str]:
        """The events of the calls with this name: `what`, or `what kind`."""
        return [
            event.what if event.answer is None else f"{event.what} {event.answer.kind}"
            for event in self.events
            if name is None or event.call.call.name == name
        ]


def well(route: Any, _context: Context) -> ToolResult:
    """A handler that answers with its call's name."""
    return ToolResult(f"{route.call.name} is done")


def call(name: str, id: str = "", **given: Any) -> ToolCall:  # noqa: A002
    return ToolCall(id or f"id_{name}", name, given)


def texts(answers: Sequence[Any]) -> list[Any]:
    """What the model sees of each: the content, or the error's code."""
    return [text(answer) for answer in answers]


def text(answer: Any) -> Any:
    if answer is None:
        return None
    content = answer.content
    if answer.is_error and isinstance(content, dict) and "error" in content:
        return content["error"]["code"]
    return content


@dataclass
class Desk:
    """A window: a list an agent."""

    statuses: dict[str, str] = field(default_factory=lambda: {"ada": "idle"})
    stored: dict[str, list[Any]] = field(default_factory=dict)

    def status(self, agent: str) -> str | None:
        return self.statuses.get(agent)

    def store(self, agent: str, exchange: Exchange) -> None:
        messages = self.stored.setdefault(agent, [])
        messages.append(("calls", [call.name for call in exchange.calls]))
        messages.append(("results", texts(exchange.answers)))

    def deliver(self, agent: str, message: Any) -> None:
        self.stored.setdefault(agent, []).append(message)


class Gate:
    """Something that a handler waits at until a test lets it go on."""

    def __init__(self) -> None:
        self.arrived: deque[str] = deque()
        self._open: dict[str, asyncio.Event] = {}

    def _at(self, name: str) -> asyncio.Event:
        return self._open.setdefault(name, asyncio.Event())

    async def __call__(self, route: Any, _context: Context) -> ToolResult:
        name = route.call.name
        self.arrived.append(name)
        await self._at(name).wait()
        return ToolResult(f"{name} is done")

    def let(self, name: str) -> None:
        self._at(name).set()


async def settle_down() -> None:
    """Let everything happen that needs no more time."""
    for _ in range(10):
        await asyncio.sleep(0)
