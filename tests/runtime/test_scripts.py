"""A script's calls."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Gate, House, call, settle_down, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import Context


def test_a_script_is_in_its_turn_for_as_long_as_that_lives() -> None:
    house = House({"a": lambda _, context: ToolResult(context.turn)})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada", id="t1") as turn:
            script = turn.script()
            seen = [await script.call(call("a")), await script.call(call("over"))]
            ends = script.ends_turn
        seen += [await script.call(call("a")), await script.call(call("over"))]
        return [*texts(seen), ends, script.in_turn, script.ends_turn]

    assert run(main()) == [
        "t1",
        "over is done",
        None,
        "TOOL_REFUSED",
        True,
        False,
        False,
    ]


def test_a_scripts_end_of_turn_comes_with_its_own_result() -> None:
    lived: list[bool] = []

    async def code(_route: Any, context: Context) -> ToolResult:
        async with context.script() as script:
            answer = await script.call(call("over"))
            lived.append(script.in_turn)
        return ToolResult(answer.content)

    async def main() -> list[Any]:
        async with House({"code": code, "a": well}).runtime().turn("ada") as turn:
            answers = await turn.run([call("code"), call("a")])
            return [*texts(answers), answers[0].ends_turn, turn.live]

    assert run(main()) == ["over is done", "a is done", True, False]
    assert lived == [True]


@pytest.mark.parametrize("outcome", ["raises", "error"])
def test_a_script_whose_own_result_is_an_error_ends_no_turn(outcome: str) -> None:
    async def code(_route: Any, context: Context) -> ToolResult:
        async with context.script() as script:
            await script.call(call("over"))
        if outcome == "raises":
            raise ValueError("crashed")
        return ToolResult("exit status 1", is_error=True)

    async def main() -> bool:
        async with House({"code": code}).runtime().turn("ada") as turn:
            await turn.run([call("code")])
            return turn.live

    assert run(main()) is True


def test_a_stopped_script_calls_no_more_and_its_open_calls_are_answered() -> None:
    gate = Gate()
    house = House({"a": gate, "b": well})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            script = turn.script()
            under_way = script.start(call("a"))
            await settle_down()
            script.stop()
            return texts([await under_way, await script.call(call("b"))])

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_EXECUTED"]
    assert house.ran == ["a"]


def test_a_script_stops_when_the_call_that_runs_it_is_cancelled() -> None:
    gate = Gate()
    seen: list[Any] = []

    async def code(_route: Any, context: Context) -> ToolResult:
        script = context.script()
        try:
            await script.call(call("a"))
        finally:
            seen.append(text(await script.call(call("b"))))
        raise AssertionError

    house = House({"code": code, "a": gate, "b": well})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("code")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel()
            answers = texts(await running)
            await settle_down()
            return answers

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert house.told("a") == ["opened", "started", "answered outcome_unknown"]
    assert house.told("b") == ["opened", "answered not_executed"]
    assert seen == ["TOOL_NOT_EXECUTED"]


@pytest.mark.parametrize("when", ["at once", "after its end"])
def test_cancelling_a_turn_stops_its_scripts_also_those_that_nothing_waits_for(
    when: str,
) -> None:
    gate = Gate()
    scripts: list[Any] = []

    async def background(_route: Any, context: Context) -> ToolResult:
        scripts.append(context.script())
        return ToolResult("started")

    house = House({"background": background, "a": gate, "b": well})

    async def main() -> list[Any]:
        turn = house.runtime().turn("ada")
        await turn.begin()
        await turn.run([call("background")])
        scripts.append(turn.script())
        calls = [script.start(call("a")) for script in scripts]
        await settle_down()
        if when == "after its end":
            turn.end()
            assert [one.answer for one in calls] == [None, None]
        turn.cancel()
        calls += [script.start(call("b")) for script in scripts]
        return texts([await one for one in calls])

    stopped = ["TOOL_OUTCOME_UNKNOWN"] * 2 + ["TOOL_NOT_EXECUTED"] * 2
    assert run(main()) == stopped
    assert house.ran == ["background", "a", "a"]


def test_a_script_that_a_host_runs_as_an_agent_is_that_agents_and_in_no_turn() -> None:
    told: list[Any] = []

    async def code(_route: Any, context: Context) -> ToolResult:
        script = context.script()
        return ToolResult([text(await script.call(call("a"))), script.in_turn])

    def a(_route: Any, context: Context) -> ToolResult:
        told.append((context.agent, context.turn))
        return ToolResult("")

    async def main() -> None:
        runtime = House({"code": code, "a": a}).runtime()
        await runtime.host("ada").call(call("code"))
        await runtime.host().call(call("code"))
        await runtime.module("m").call(call("code"), agent="ada")

    run(main())
    assert told == [("ada", None), (None, None), (None, None)]
