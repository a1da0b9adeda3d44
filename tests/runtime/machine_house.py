"""What the state machine drives: a host whose handlers do what they are told, when."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from made_up_time import Clockless
from runtime_house import House

from toolroute import ToolCall, ToolError, ToolResult
from toolroute.runtime import (
    Answer,
    Context,
    Event,
    Exchange,
    Ledger,
    Limits,
    RawCall,
    Runtime,
    Script,
    Wanted,
)

Outcome = Callable[[], Any]
"""Gives a result, or raises."""


def _raise(error: BaseException) -> Any:
    raise error


OUTCOMES: dict[str, tuple[Outcome, str]] = {
    "returns": (lambda: ToolResult("fine"), "returned"),
    "answers an error": (lambda: ToolResult("not fine", is_error=True), "returned"),
    "ends the turn": (lambda: ToolResult("bye", ends_turn=True), "returned"),
    "raises": (lambda: _raise(ValueError("no luck")), "failed"),
    "raises its own error": (lambda: _raise(ToolError("busy")), "returned"),
    "is cancelled": (lambda: _raise(asyncio.CancelledError()), "failed"),
    "exits": (lambda: _raise(SystemExit(1)), "failed"),
    "gives nothing": (lambda: None, "failed"),
    "gives no JSON": (lambda: ToolResult(object()), "failed"),
}
"""What a handler can do, and the kind of the answer that this is."""


@dataclass
class Run:
    """A handler at work: nothing comes of it until it is told what."""

    token: str
    context: Context
    told: "asyncio.Future[str]"
    stubborn: bool


@dataclass
class Window:
    """Messages, each one thing; a pair is two that stand together."""

    stored: dict[str, list[tuple[str, Any]]] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)

    def status(self, agent: str) -> str | None:
        if agent == "nobody":
            return None
        return "compacting" if agent in self.busy else "idle"

    def store(self, agent: str, exchange: Exchange) -> None:
        messages = self.stored.setdefault(agent, [])
        messages.append(("calls", [one.input.get("token") for one in exchange.calls]))
        messages.append(("results", list(exchange.answers)))

    def deliver(self, agent: str, message: Any) -> None:
        self.stored.setdefault(agent, []).append(("message", message))


class World:
    """One runtime with its loop, and all that was seen of it."""

    def __init__(self, ledger: Ledger) -> None:
        self.loop = Clockless()
        self.ledger = ledger
        self.window = Window()
        self.runs: dict[str, Run] = {}
        self.entered: dict[str, int] = {}
        self.ended: dict[str, str] = {}
        self.posted: dict[str, str] = {}
        self.scripts: list[Script] = []
        self.events: dict[str, list[Event]] = {}
        self.tokens = 0
        handlers = dict.fromkeys(("step", "stubborn"), self._step)
        self.house = House(
            {**handlers, "sync": self._sync, "waits": self._waits, "code": self._code}
        )
        limits = Limits(at_once=2, seconds=50)
        self.runtime: Runtime[Any, Any, Any] = Runtime(
            self.house.bound(),
            self.house.view,
            ledger=ledger,
            observers=[self._see],
            limits=limits,
            window=self.window,
        )

    def do(self, act: Callable[[], Any], seconds: float = 0) -> Any:
        """Do it on the loop, and let everything happen that follows."""

        async def doing() -> Any:
            try:
                return act()
            finally:
                if seconds:
                    await asyncio.sleep(seconds)
                for _ in range(25):
                    await asyncio.sleep(0)

        return self.loop.run_until_complete(doing())

    def call(self, name: str, **given: Any) -> ToolCall | RawCall:
        """A call with a token of its own, by which everything knows it."""
        self.tokens += 1
        token = f"{name} {self.tokens}"
        if name == "bad":
            return RawCall(token, "step", "{")
        return ToolCall(token, name, {"token": token, **given})

    def found(self) -> dict[str, tuple[bool, Answer | None]]:
        """What is on record of each call: whether it started, and its answer."""
        entries = self.ledger.find(Wanted(owner=self.ledger.owner))
        return {one.opened.call.id: (one.started, one.answer) for one in entries}

    def _see(self, event: Event) -> None:
        self.events.setdefault(event.call.call.id, []).append(event)

    def _enter(self, route: Any) -> str:
        token = str(route.call.input["token"])
        self.entered[token] = self.entered.get(token, 0) + 1
        return token

    def _sync(self, route: Any, _context: Context) -> Any:
        token = self._enter(route)
        how = route.call.input["how"]
        self.ended[token] = how
        return OUTCOMES[how][0]()

    async def _step(self, route: Any, context: Context) -> Any:
        token = self._enter(route)
        run = Run(token, context, self.loop.create_future(), route.call.name != "step")
        self.runs[token] = run
        try:
            how = await self._told(run)
            self.ended.setdefault(token, how)
            return OUTCOMES[how][0]()
        finally:
            del self.runs[token]

    async def _told(self, run: Run) -> str:
        """What it was told; a stubborn one doesn't mind being cancelled."""
        while True:
            try:
                return await asyncio.shield(run.told)
            except asyncio.CancelledError:
                if not run.stubborn or run.told.cancelled():
                    raise

    async def _waits(self, route: Any, context: Context) -> Any:
        token = self._enter(route)
        await context.others()
        self.ended[token] = "returns"
        return OUTCOMES["returns"][0]()

    async def _code(self, route: Any, context: Context) -> Any:
        self.scripts.append(context.script())
        return await self._step(route, context)
