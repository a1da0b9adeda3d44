"""What a handler is told, and what is kept of its call."""

import asyncio
import contextvars
from collections.abc import Awaitable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import (
    Context,
    Limits,
    MemoryLedger,
    Round,
    Wanted,
)

WHOSE = contextvars.ContextVar("WHOSE", default="nobody's")


@pytest.mark.parametrize("in_thread", [frozenset[str](), frozenset({"work"})])
def test_a_handler_has_the_context_variables_of_who_runs_its_round(
    in_thread: frozenset[str],
) -> None:
    """Also one that gets its slot when another agent's handler ends."""
    seen: list[tuple[str | None, str, str]] = []

    def tells(_route: Any, context: Context) -> Awaitable[ToolResult]:
        seen.append((context.agent, WHOSE.get(), "begins"))

        async def rest() -> ToolResult:
            await asyncio.sleep(0)
            seen.append((context.agent, WHOSE.get(), "ends"))
            WHOSE.set("a handler's")
            return ToolResult("")

        return rest()

    async def main() -> None:
        limits = Limits(at_once=1, in_thread=in_thread)
        runtime = House({"a": tells}).runtime(limits=limits)

        async def turn_of(agent: str) -> None:
            WHOSE.set(agent)
            async with runtime.turn(agent) as turn:
                await turn.run([call("a")] * 3)

        await asyncio.gather(turn_of("ada"), turn_of("bob"))

    run(main())
    assert sorted(seen) == [
        (agent, agent, what)
        for agent in ("ada", "bob")
        for what in ("begins", "ends")
        for _ in range(3)
    ]


def test_what_a_sync_handler_sets_is_no_siblings() -> None:
    seen: list[str] = []

    def sets(_route: Any, _context: Context) -> ToolResult:
        seen.append(WHOSE.get())
        WHOSE.set("a handler's")
        return ToolResult("")

    async def main() -> str:
        async with House({"a": sets}).runtime().turn("ada") as turn:
            await turn.run([call("a"), call("a")])
        return WHOSE.get()

    assert (run(main()), seen) == ("nobody's", ["nobody's", "nobody's"])


def test_capabilities_can_change_between_decisions() -> None:
    def tells(route: Any, _context: Context) -> ToolResult:
        return ToolResult(route.capability)

    house = House({"a": tells})

    async def main() -> list[Any]:
        seen: list[Any] = []
        async with house.runtime().turn("ada") as turn:
            for capability in (None, "registry", None):
                house.capabilities["ada"] = capability
                seen += texts(await turn.run([call("a")]))
        return seen

    assert run(main()) == [None, "registry", None]


def test_a_round_is_decided_when_it_is_opened() -> None:
    def tells(route: Any, _context: Context) -> ToolResult:
        return ToolResult(route.capability)

    house = House({"a": tells}, capabilities={"ada": "then"})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a")])
            house.capabilities["ada"] = "later"
            return texts(await one.run())

    assert run(main()) == ["then"]


def test_keys_name_the_very_call() -> None:
    keys: list[str] = []

    def tells(_route: Any, context: Context) -> ToolResult:
        keys.append(context.key)
        return ToolResult("")

    async def main() -> None:
        runtime = House({"a": tells}).runtime()
        async with runtime.turn("ada") as turn:
            await turn.run([call("a"), call("a")])
            await turn.run([call("a"), call("a")], key="t1.3")
            await turn.run([call("a"), call("a")], key="t1.3")
        await runtime.host().call(call("a"), key="job 7")
        await runtime.host().call(call("a"))

    run(main())
    assert keys[2:7] == ["t1.3.0", "t1.3.1", "t1.3.0", "t1.3.1", "job 7"]
    ours = [keys[0], keys[1], keys[7]]
    assert len(set(ours)) == 3
    assert not set(ours) & set(keys[2:7])


def test_a_handler_is_told_the_agent_the_turn_and_the_round() -> None:
    told: list[Any] = []

    def tells(_route: Any, context: Context) -> ToolResult:
        told.append((context.agent, context.turn, context.round, context.cancelled))
        return ToolResult("")

    async def main() -> None:
        runtime = House({"a": tells}).runtime()
        async with runtime.turn("ada", id="t1") as turn:
            await turn.run([call("a")])
            await turn.run([call("a")])
            await turn.script().call(call("a"))
        await runtime.host("ada").call(call("a"))
        await runtime.host().call(call("a"))
        await runtime.module("m").call(call("a"), agent="ada")

    run(main())
    assert told == [
        ("ada", "t1", 1, False),
        ("ada", "t1", 2, False),
        ("ada", "t1", None, False),
        ("ada", None, None, False),
        (None, None, None, False),
        (None, None, None, False),
    ]


def test_the_ledger_has_the_whole_round() -> None:
    ledger = MemoryLedger()

    async def main() -> Round:
        runtime = House({"a": well}).runtime(ledger=ledger)
        async with runtime.turn("ada", id="t1") as turn:
            one = turn.round([call("a"), call("no"), call("page")])
            await one.run()
            found = ledger.find(Wanted(turn="t1"))
            assert [entry.state for entry in found] == [
                "answered",
                "answered",
                "started",
            ]
            return one

    one = run(main())
    found = ledger.find(Wanted(agent="ada"))
    assert [entry.answer for entry in found] == list(one.answers)
    assert [
        (entry.opened.round, entry.opened.place, entry.started) for entry in found
    ] == [(1, 0, True), (1, 1, False), (1, 2, True)]
    assert [text(entry.answer) for entry in found] == [
        "a is done",
        "TOOL_REFUSED",
        "TOOL_OUTCOME_UNKNOWN",
    ]
