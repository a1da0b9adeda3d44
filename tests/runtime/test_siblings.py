"""A handler may wait for the other server-plane calls of its round."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Gate, House, call, settle_down, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import Context, Limits


async def waits(_route: Any, context: Context) -> ToolResult:
    return ToolResult(list(await context.others()))


async def waits_but(_route: Any, context: Context) -> ToolResult:
    return ToolResult(list(await context.others(but=["save"])))


async def waits_5(_route: Any, context: Context) -> ToolResult:
    return ToolResult(list(await context.others(seconds=5)))


async def slow(_route: Any, _context: Context) -> ToolResult:
    await asyncio.sleep(20)
    return ToolResult("slow is done")


def _run(
    names: list[str], at_once: int = 100, **handlers: Any
) -> tuple[list[Any], float]:
    house = House(
        {
            "waits": waits,
            "save": waits_but,
            "waits_5": waits_5,
            "slow": slow,
            "well": well,
            **handlers,
        }
    )

    async def main() -> tuple[list[Any], float]:
        runtime = house.runtime(limits=Limits(at_once=at_once, seconds=1000))
        async with runtime.turn("ada") as turn:
            answers = await turn.round([call(name) for name in names]).run()
            return texts(answers), asyncio.get_running_loop().time()

    return run(main())


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_it_waits_without_holding_up_those_it_waits_for(at_once: int) -> None:
    assert _run(["waits", "slow", "well"], at_once) == (
        [[], "slow is done", "well is done"],
        20,
    )
    assert _run(["slow", "well", "waits"], at_once) == (
        ["slow is done", "well is done", []],
        20,
    )


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_two_that_wait_for_each_other_both_go_on(at_once: int) -> None:
    assert _run(["waits", "waits"], at_once) == ([[], []], 0)
    assert _run(["waits", "slow", "waits"], at_once) == ([[], "slow is done", []], 20)


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_those_left_out_are_not_waited_for(at_once: int) -> None:
    assert _run(["save", "save", "well"], at_once) == ([[], [], "well is done"], 0)


def test_one_name_left_out_leaves_no_part_of_it_out() -> None:
    done: list[str] = []

    async def waits(_route: Any, context: Context) -> ToolResult:
        await context.others(but="save_image")
        return ToolResult([*done])

    async def image(route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(1)
        done.append(route.call.name)
        return ToolResult("")

    house = House({"waits": waits, "image": image, "save_image": waits})

    async def main() -> Any:
        async with house.runtime().turn("ada") as turn:
            names = ("waits", "image", "save_image")
            return texts(await turn.run([call(name) for name in names]))

    assert run(main()) == [["image"], "", ["image"]]


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_client_plane_calls_are_not_waited_for(at_once: int) -> None:
    assert _run(["page", "waits", "well", "page"], at_once) == (
        [None, [], "well is done", None],
        0,
    )


def test_refused_calls_are_not_waited_for() -> None:
    assert _run(["waits", "no", "nosuch"]) == (
        [[], "TOOL_REFUSED", "NO_SUCH_TOOL"],
        0,
    )


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_it_gives_up_after_a_limit_and_says_what_on(at_once: int) -> None:
    answers, time = _run(["waits_5", "slow", "well"], at_once)
    assert answers == [["slow"] + ["well"] * (at_once == 1), *answers[1:]]
    assert (answers[1:], time) == (["slow is done", "well is done"], 20)


def test_it_goes_on_with_a_slot_before_what_is_queued() -> None:
    order: list[str] = []

    async def waits_then(_route: Any, context: Context) -> ToolResult:
        await context.others(but=["b"])
        order.append("waits goes on")
        return ToolResult("")

    def b(_route: Any, _context: Context) -> ToolResult:
        order.append("b starts")
        return ToolResult("")

    _run(["waits", "slow", "b", "b"], 1, waits=waits_then, b=b)
    assert order == ["waits goes on", "b starts", "b starts"]


def test_the_limit_holds_while_calls_wait_and_go_on() -> None:
    running = most = 0

    async def busy(_route: Any, context: Context) -> ToolResult:
        nonlocal running, most
        for _ in range(3):
            running += 1
            most = max(most, running)
            await asyncio.sleep(1)
            running -= 1
            await context.others(but=["waits"])
        return ToolResult("")

    _run(["waits", "busy", "busy", "waits", "busy", "busy"], 2, busy=busy)
    assert most == 2


def test_a_call_that_gives_up_waiting_by_itself_goes_on() -> None:
    async def impatient(_route: Any, context: Context) -> ToolResult:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(context.others(), 3)
        return ToolResult(asyncio.get_running_loop().time())

    assert _run(["a", "slow"], a=impatient) == ([3.0, "slow is done"], 20)
    assert _run(["a", "slow"], 1, a=impatient)[0][1] == "slow is done"


def test_a_waiting_call_that_is_cancelled_frees_the_others() -> None:
    gate = Gate()
    house = House({"waits": waits, "a": gate, "b": gate})

    async def main() -> list[Any]:
        runtime = house.runtime(limits=Limits(at_once=1))
        async with runtime.turn("ada") as turn:
            one = turn.round([call("waits"), call("a"), call("b")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel(0)
            await settle_down()
            assert list(gate.arrived) == ["a"]
            gate.let("a")
            gate.let("b")
            return texts(await running)

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "a is done", "b is done"]


def test_who_waits_for_a_cancelled_call_goes_on() -> None:
    house = House({"waits": waits, "slow": slow})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("waits"), call("slow")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel(1)
            return texts(await running)

    assert run(main()) == [[], "TOOL_OUTCOME_UNKNOWN"]


def test_a_call_without_a_round_waits_for_nothing() -> None:
    house = House({"waits": waits, "slow": slow})

    async def main() -> list[Any]:
        runtime = house.runtime(window=None)
        async with runtime.turn("ada") as turn:
            running = asyncio.ensure_future(turn.run([call("slow")]))
            await settle_down()
            given = [
                await runtime.host("ada").call(call("waits")),
                await runtime.module("m").call(call("waits"), agent="ada"),
                await turn.script().call(call("waits")),
            ]
            assert not running.done()
            await running
            return texts(given)

    assert run(main()) == [[], [], []]


def test_a_call_that_is_answered_waits_for_nothing() -> None:
    left: list[Any] = []

    async def late(_route: Any, context: Context) -> ToolResult:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            left.append(await context.others())
        return ToolResult("")

    house = House({"late": late, "slow": slow})

    async def main() -> None:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("late"), call("slow")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel(0)
            await settle_down()
            assert left == [()]
            await running

    run(main())


def test_a_call_waits_once_at_a_time() -> None:
    async def twice(_route: Any, context: Context) -> ToolResult:
        first = asyncio.ensure_future(context.others())
        await asyncio.sleep(0)
        with pytest.raises(ProtocolError, match="waits for its round already"):
            await context.others()
        return ToolResult(list(await first))

    assert _run(["a", "slow"], a=twice) == ([[], "slow is done"], 20)
