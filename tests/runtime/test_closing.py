import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import Context, Limits, PuppetError


def test_new_calls_are_answered_as_not_executed_on_every_road() -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        runtime = house.runtime(window=Desk())
        module = runtime.module("m")
        turn = runtime.turn("ada")
        other = runtime.turn("bob")
        await turn.begin()
        script = turn.script()
        await runtime.close()
        await other.begin()
        with pytest.raises(PuppetError) as refused:
            await runtime.puppet("ada").call(call("a"))
        return texts(
            [
                await runtime.host().call(call("a")),
                await module.call(call("a")),
                await script.call(call("a")),
                *await other.run([call("a"), call("page"), call("no")]),
                refused.value.answer,
            ]
        )

    assert run(main()) == ["TOOL_NOT_EXECUTED"] * 7
    assert house.ran == []


def test_running_ones_are_awaited_up_to_a_limit_and_the_rest_answered() -> None:
    async def slow(route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(route.call.input["seconds"])
        return ToolResult("done")

    house = House({"a": slow})

    async def main() -> list[Any]:
        runtime = house.runtime()
        calls = [
            runtime.host().start(call("a", seconds=seconds)) for seconds in (3, 8, 30)
        ]
        await runtime.close(10)
        return [*texts([await one for one in calls]), asyncio.get_running_loop().time()]

    assert run(main()) == ["done", "done", "TOOL_OUTCOME_UNKNOWN", 10]
    assert house.events[-1].cause == "closing"


def test_closing_waits_no_longer_than_it_has_to() -> None:
    async def slow(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(3)
        return ToolResult("done")

    async def main() -> float:
        runtime = House({"a": slow}).runtime()
        runtime.host().start(call("a"))
        await runtime.close(None)
        await runtime.close()
        return asyncio.get_running_loop().time()

    assert run(main()) == 3


def test_what_a_running_round_has_queued_is_awaited_too() -> None:
    async def slow(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(3)
        return ToolResult("done")

    async def main(seconds: float) -> list[Any]:
        runtime = House({"a": slow, "b": well}).runtime(limits=Limits(at_once=1))
        async with runtime.turn("ada") as turn:
            running = asyncio.ensure_future(
                turn.run([call("a"), call("b"), call("a"), call("page")])
            )
            await settle_down()
            await runtime.close(seconds)
            assert not turn.live
            return texts(await running)

    assert run(main(10)) == ["done", "b is done", "done", "TOOL_OUTCOME_UNKNOWN"]
    assert run(main(4)) == [
        "done",
        "b is done",
        "TOOL_OUTCOME_UNKNOWN",
        "TOOL_OUTCOME_UNKNOWN",
    ]
    assert run(main(0)) == [
        "TOOL_OUTCOME_UNKNOWN",
        "TOOL_NOT_EXECUTED",
        "TOOL_NOT_EXECUTED",
        "TOOL_OUTCOME_UNKNOWN",
    ]


def test_a_running_handler_makes_no_new_calls_while_closing() -> None:
    seen: list[Any] = []

    async def code(_route: Any, context: Context) -> ToolResult:
        await asyncio.sleep(3)
        async with context.script() as script:
            seen.append(text(await script.call(call("b"))))
        return ToolResult("done")

    async def main() -> list[Any]:
        runtime = House({"a": code, "b": well}).runtime()
        under_way = runtime.host("ada").start(call("a"))
        await runtime.close()
        return texts([await under_way])

    assert run(main()) == ["done"]
    assert seen == ["TOOL_NOT_EXECUTED"]


def test_a_handler_that_will_not_end_is_left_after_a_moment() -> None:
    gate = Gate()

    async def stubborn(_route: Any, _context: Context) -> ToolResult:
        while True:
            try:
                return await gate(_route, _context)
            except asyncio.CancelledError:
                continue

    house = House({"a": stubborn})

    async def main() -> list[Any]:
        runtime = house.runtime()
        under_way = runtime.host().start(call("a"))
        await settle_down()
        await runtime.close(5)
        time = asyncio.get_running_loop().time()
        gate.let("a")
        await settle_down()
        return [text(await under_way), time]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", 6]
    assert house.told()[-1] == "late returned"


@pytest.mark.parametrize("seconds", [None, 30])
def test_closing_that_is_cancelled_answers_what_is_open(seconds: float | None) -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        runtime = house.runtime()
        turn = runtime.turn("ada")
        await turn.begin()
        one = turn.round([call("a"), call("page")])
        running = asyncio.ensure_future(one.run())
        awaited = runtime.host().start(call("a"))
        closing = asyncio.ensure_future(runtime.close(seconds))
        await settle_down()
        assert awaited.answer is None
        closing.cancel()
        await asyncio.wait([closing])
        return [closing.cancelled(), *texts([*await running, await awaited]), turn.live]

    assert run(main()) == [True, *["TOOL_OUTCOME_UNKNOWN"] * 3, False]


def test_a_handler_that_would_wait_for_itself_to_end_has_failed() -> None:
    runtimes: list[Any] = []

    async def closes(route: Any, _context: Context) -> ToolResult:
        closing = runtimes[0].close(None)
        if route.call.input["waits"]:
            await closing
        else:
            runtimes.append(asyncio.ensure_future(closing))
        return ToolResult("closing")

    house = House({"a": closes})

    async def main() -> list[Any]:
        runtimes.append(house.runtime())
        waits = await runtimes[0].host().call(call("a", waits=True))
        assert "waits for the handler" in waits.content["error"]["message"]
        answers = [waits, await runtimes[0].host().call(call("a", waits=False))]
        await runtimes[1]
        return [*texts(answers), text(await runtimes[0].host().call(call("a")))]

    assert run(main()) == ["TOOL_FAILED", "closing", "TOOL_NOT_EXECUTED"]


def test_a_block_closes_the_runtime() -> None:
    async def main() -> Any:
        async with House({"a": well}).runtime() as runtime:
            assert text(await runtime.host().call(call("a"))) == "a is done"
        return text(await runtime.host().call(call("a")))

    assert run(main()) == "TOOL_NOT_EXECUTED"


def test_an_operators_call_still_running_is_stored_when_it_is_answered() -> None:
    desk = Desk()
    gate = Gate()

    async def main() -> None:
        runtime = House({"a": gate}).runtime(window=desk)
        act = runtime.puppet("ada").start(call("a"))
        await runtime.close(2)
        await act

    run(main())
    assert desk.stored == {
        "ada": [("calls", ["a"]), ("results", ["TOOL_OUTCOME_UNKNOWN"])]
    }
