"""Interrupts, and what else cuts a handler short."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, settle_down, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import Context, Limits


def _both(error: BaseException) -> dict[str, Callable[[Any, Context], Any]]:
    """Handlers that raise it: a sync one, an async one at once, and one later."""

    def sync(_route: Any, _context: Context) -> ToolResult:
        raise error

    async def at_once(_route: Any, _context: Context) -> ToolResult:
        raise error

    async def later(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(1)
        raise error

    return {"sync": sync, "at_once": at_once, "later": later}


@pytest.mark.parametrize("name", ["sync", "at_once", "later"])
def test_a_keyboard_interrupt_is_answered_and_passed_on(name: str) -> None:
    house = House(_both(KeyboardInterrupt()))
    kept: list[Any] = []

    async def main() -> None:
        kept.append(house.runtime().host().start(call(name)))
        await asyncio.sleep(9)

    with pytest.raises(KeyboardInterrupt), asyncio.Runner() as runner:
        runner.run(main())
    assert house.told() == ["opened", "started", "answered failed"]
    assert house.events[-1].answer is not None
    assert house.events[-1].answer.content["error"]["message"] == (
        f"{name} couldn't answer: it gave no reason"
    )


def test_the_siblings_of_a_keyboard_interrupt_are_answered() -> None:
    house = House({**_both(KeyboardInterrupt()), "well": well})

    async def main() -> None:
        async with house.runtime(limits=Limits(at_once=2)).turn("ada") as turn:
            await turn.run([call("well"), call("sync"), call("well"), call("page")])

    with pytest.raises(KeyboardInterrupt), asyncio.Runner() as runner:
        runner.run(main())
    assert sorted(one for one in house.told() if one.startswith("answered")) == [
        "answered failed",
        "answered not_executed",
        "answered outcome_unknown",
        "answered returned",
    ]


def test_siblings_that_an_interrupt_keeps_from_running_are_answered_at_once() -> None:
    """They were recorded as started, together with the one that is interrupted."""
    house = House({**_both(KeyboardInterrupt()), "well": well})

    async def main() -> list[Any]:
        async with house.runtime(limits=Limits(at_once=3)).turn("ada") as turn:
            one = turn.round([call(name) for name in ("sync", "well", "well", "well")])
            with pytest.raises(KeyboardInterrupt):
                await one.run()
            return texts(await one.complete())

    unknown = "TOOL_OUTCOME_UNKNOWN"
    assert run(main()) == ["TOOL_FAILED", unknown, unknown, "well is done"]
    assert house.ran == ["sync", "well"]


def test_a_guard_that_is_interrupted_leaves_no_call_without_an_answer() -> None:
    house = House({"a": well})

    def interrupted(*_given: Any) -> Any:
        raise KeyboardInterrupt

    house.decides = interrupted

    async def main() -> None:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            with pytest.raises(KeyboardInterrupt):
                await runtime.host().call(call("a"))
            with pytest.raises(KeyboardInterrupt):
                turn.round([call("a"), call("b")])
        assert turn.live is False

    run(main())
    assert sorted(house.told()) == ["answered not_executed"] * 3 + ["opened"] * 3


def test_a_handler_whose_own_await_is_cancelled_has_failed() -> None:
    async def joins(_route: Any, _context: Context) -> ToolResult:
        other = asyncio.ensure_future(asyncio.sleep(9))
        asyncio.get_running_loop().call_soon(other.cancel)
        await other
        raise AssertionError

    async def main() -> Any:
        answer = await House({"a": joins}).runtime().host().call(call("a"))
        return answer.content["error"]["message"]

    assert run(main()) == "a couldn't answer: it was cancelled"


def test_a_task_that_something_else_cancels_has_an_unknown_outcome() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(9)
        raise AssertionError

    house = House({"a": hangs})

    async def main() -> list[Any]:
        mine = asyncio.all_tasks()
        under_way = house.runtime().host().start(call("a"))
        for wait in (False, True):
            if wait:
                await settle_down()
            for task in asyncio.all_tasks() - mine:
                task.cancel()
        answer = await under_way
        return [text(answer), house.events[-1].cause]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "interrupted"]


def test_a_handler_cancelled_before_its_first_step_leaves_no_warning() -> None:
    async def never(_route: Any, _context: Context) -> ToolResult:
        raise AssertionError

    async def main() -> Any:
        under_way = House({"a": never}).runtime().host().start(call("a"))
        under_way.cancel()
        return text(await under_way)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert run(main()) == "TOOL_OUTCOME_UNKNOWN"
        gc.collect()
    assert warned == []


def test_a_loop_that_is_torn_down_leaves_no_call_without_an_answer() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(9)
        raise AssertionError

    house = House({"a": hangs, "b": hangs})

    async def main() -> None:
        house.runtime().host().start(call("a"))
        await settle_down()
        house.runtime().host().start(call("b"))

    asyncio.run(main())
    assert [house.told("a")[-1], house.told("b")[-1]] == [
        "answered outcome_unknown"
    ] * 2


def test_a_handler_that_answers_its_own_call_by_cancelling_it_is_late() -> None:
    rounds: list[Any] = []

    def sync(_route: Any, _context: Context) -> ToolResult:
        rounds[0].cancel()
        return ToolResult("and yet")

    async def later(_route: Any, _context: Context) -> ToolResult:
        raise AssertionError

    house = House({"a": sync, "b": later})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            rounds.append(turn.round([call("a"), call("b")]))
            return texts(await rounds[0].run())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "TOOL_OUTCOME_UNKNOWN"]
    assert house.ran == ["a"]
    assert house.told("a")[-1] == "late returned"


def test_a_handler_that_begins_after_its_call_is_cancelled_is_not_run() -> None:
    rounds: list[Any] = []
    ran: list[str] = []

    async def rest() -> ToolResult:
        ran.append("the rest")
        return ToolResult("")

    def begins(_route: Any, _context: Context) -> Awaitable[ToolResult]:
        rounds[0].cancel()
        return rest()

    house = House({"a": begins})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            rounds.append(turn.round([call("a")]))
            return texts(await rounds[0].run())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert (ran, house.told()) == (
        [],
        ["opened", "started", "answered outcome_unknown"],
    )
