"""Cancelling a call, a round, a turn, a waiter; and time limits."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Gate, House, call, settle_down, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import (
    Context,
    Limits,
)


def test_time_limits_are_the_routes_or_the_default() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(100)
        raise AssertionError

    async def main(limits: Limits) -> float:
        async with House({"a": hangs}).runtime(limits=limits).turn("ada") as turn:
            await turn.run([call("a")])
        return asyncio.get_running_loop().time()

    assert run(main(Limits(seconds=7))) == 7
    assert run(main(Limits(seconds=7, by_kind={"work": 3}))) == 3
    assert run(main(Limits(seconds=None, by_kind={"work": 5}))) == 5


def test_a_sync_handler_on_the_loop_has_no_time_limit() -> None:
    async def main() -> list[Any]:
        house = House({"well": well})
        async with house.runtime(limits=Limits(seconds=1e-9)).turn("ada") as turn:
            return texts(await turn.run([call("well")]))

    assert run(main()) == ["well is done"]


@pytest.mark.parametrize("limits", [{"at_once": 0}, {"seconds": 0}, {"seconds": -1}])
def test_limits_that_let_nothing_run_are_misuse(limits: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        Limits(**limits)


def test_a_time_limit_by_kind_that_lets_nothing_run_is_misuse() -> None:
    with pytest.raises(ProtocolError):
        Limits(by_kind={"work": 0})


def test_cancelling_one_call_answers_it_and_no_other() -> None:
    gate = Gate()
    house = House({"a": gate, "b": gate})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a"), call("b")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel(0)
            assert texts(one.answers) == ["TOOL_OUTCOME_UNKNOWN", None]
            gate.let("b")
            return texts(await running)

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "b is done"]
    assert [e.cause for e in house.events if e.what == "answered"] == [
        "cancelled",
        "handler",
    ]


def test_cancelling_a_round_says_of_each_call_what_was_seen() -> None:
    gate = Gate()
    house = House({"a": gate, "b": gate})

    async def main() -> list[Any]:
        async with house.runtime(limits=Limits(at_once=1)).turn("ada") as turn:
            one = turn.round([call("a"), call("b"), call("page")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel()
            assert turn.live
            return [*texts(await running), *house.ran]

    assert run(main()) == [
        "TOOL_OUTCOME_UNKNOWN",
        "TOOL_NOT_EXECUTED",
        "TOOL_OUTCOME_UNKNOWN",
        "a",
    ]
    assert house.told("b") == ["opened", "answered not_executed"]


def test_cancelling_a_turn_ends_it_and_answers_everything() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        turn = house.runtime().turn("ada")
        await turn.begin()
        running = asyncio.ensure_future(turn.run([call("a")]))
        await settle_down()
        turn.cancel()
        assert not turn.live
        with pytest.raises(ProtocolError):
            turn.round([call("a")])
        return texts(await running)

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert house.events[-1].cause == "cancelled"


def test_cancelling_whoever_awaits_a_round_leaves_its_calls_to_their_own_ends() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a")])
            waiter = asyncio.ensure_future(one.run())
            await settle_down()
            waiter.cancel()
            await settle_down()
            assert (waiter.cancelled(), one.answers) == (True, (None,))
            gate.let("a")
            return texts(await one.complete())

    assert run(main()) == ["a is done"]


def test_a_handler_that_sees_its_cancellation_cannot_answer_any_more() -> None:
    seen: list[bool] = []

    async def stubborn(_route: Any, context: Context) -> ToolResult:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append(context.cancelled)
        return ToolResult("done after all")

    house = House({"a": stubborn})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel()
            answers = texts(await running)
            await settle_down()
            return answers

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert house.told() == [
        "opened",
        "started",
        "answered outcome_unknown",
        "late returned",
    ]
    assert seen == [True]
