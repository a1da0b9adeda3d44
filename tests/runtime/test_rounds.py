import asyncio
import itertools
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, texts, well

from toolroute import ProtocolError, ToolError, ToolResult
from toolroute.runtime import (
    Context,
    Limits,
    MemoryLedger,
    Wanted,
    _round,
)


def test_all_are_registered_before_any_starts() -> None:
    house = House({"a": well, "b": well})

    async def main() -> None:
        async with house.runtime().turn("ada") as turn:
            await turn.run([call("a"), call("b")])

    run(main())
    assert house.told()[:4] == ["opened", "opened", "started", "started"]


def test_results_come_back_in_call_order_whatever_order_they_came_in() -> None:
    gate = Gate()
    house = House({"a": gate, "b": gate, "c": gate})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            running = asyncio.ensure_future(turn.run([call(name) for name in "abc"]))
            await settle_down()
            for name in "cab":
                gate.let(name)
                await settle_down()
            return texts(await running)

    assert run(main()) == ["a is done", "b is done", "c is done"]
    ends = [e.call.call.name for e in house.events if e.what == "answered"]
    assert ends == ["c", "a", "b"]


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_no_more_run_at_once_than_the_limit(at_once: int) -> None:
    running = most = 0

    async def busy(_route: Any, _context: Context) -> ToolResult:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(1)
        running -= 1
        return ToolResult("")

    async def main() -> float:
        runtime = House({"a": busy}).runtime(limits=Limits(at_once=at_once))
        async with runtime.turn("ada") as turn:
            await turn.run([call("a") for _ in range(6)])
        return asyncio.get_running_loop().time()

    assert run(main()) == 6 / at_once
    assert most == at_once


def test_they_start_in_call_order() -> None:
    gate = Gate()
    house = House(dict.fromkeys("abcd", gate))

    async def main() -> list[str]:
        runtime = house.runtime(limits=Limits(at_once=2))
        async with runtime.turn("ada") as turn:
            running = asyncio.ensure_future(turn.run([call(n) for n in "abcd"]))
            await settle_down()
            assert list(gate.arrived) == ["a", "b"]
            for name in "badc":
                gate.let(name)
                await settle_down()
            await running
            return list(gate.arrived)

    assert run(main()) == ["a", "b", "c", "d"]


def test_one_that_raises_leaves_its_siblings_alone() -> None:
    async def later(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(1)
        raise ValueError("late trouble")

    def now(_route: Any, _context: Context) -> ToolResult:
        raise KeyError("x")

    async def main() -> list[Any]:
        house = House({"now": now, "later": later, "well": well})
        async with house.runtime().turn("ada") as turn:
            return texts(await turn.run([call("now"), call("later"), call("well")]))

    assert run(main()) == ["TOOL_FAILED", "TOOL_FAILED", "well is done"]


def test_one_that_hangs_leaves_its_siblings_alone() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def main() -> list[Any]:
        house = House({"hangs": hangs, "well": well})
        runtime = house.runtime(limits=Limits(at_once=1, seconds=9))
        async with runtime.turn("ada") as turn:
            answers = await turn.run([call("hangs"), call("well")])
        return [*texts(answers), asyncio.get_running_loop().time()]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "well is done", 9.0]


def test_two_calls_with_one_id_stay_two() -> None:
    async def main() -> list[Any]:
        house = House({"a": well, "b": well})
        async with house.runtime().turn("ada") as turn:
            return texts(await turn.run([call("a", "same"), call("b", "same")]))

    assert run(main()) == ["a is done", "b is done"]


def test_two_equal_calls_stay_two() -> None:
    numbers = iter("12")

    def counts(_route: Any, _context: Context) -> ToolResult:
        return ToolResult(next(numbers))

    async def main() -> list[Any]:
        async with House({"a": counts}).runtime().turn("ada") as turn:
            return texts(await turn.run([call("a", "same"), call("a", "same")]))

    assert run(main()) == ["1", "2"]


def test_a_handlers_own_error_carries_its_code_and_retry() -> None:
    def full(_route: Any, _context: Context) -> ToolResult:
        raise ToolError("the drive is full", code="FULL", retry="after-delay")

    async def main() -> Any:
        async with House({"a": full}).runtime().turn("ada") as turn:
            (answer,) = await turn.run([call("a")])
            return answer.kind, answer.is_error, answer.content

    assert run(main()) == (
        "returned",
        True,
        {
            "error": {
                "code": "FULL",
                "message": "the drive is full",
                "retry": "after-delay",
            }
        },
    )


def test_a_round_of_no_calls_is_complete() -> None:
    async def main() -> Any:
        desk = Desk()
        async with House().runtime(window=desk).turn("ada") as turn:
            return await turn.run([]), desk.stored

    assert run(main()) == ((), {})


def test_a_round_is_not_opened_while_the_last_one_runs() -> None:
    gate = Gate()

    async def main() -> list[Any]:
        async with House({"a": gate}).runtime().turn("ada") as turn:
            running = asyncio.ensure_future(turn.run([call("a")]))
            await settle_down()
            with pytest.raises(ProtocolError, match="still runs"):
                turn.round([call("a")])
            gate.let("a")
            return texts(await running)

    assert run(main()) == ["a is done"]


def test_what_is_no_round_of_calls_leaves_the_turn_as_it_was() -> None:
    house = House({"a": well})
    junk: list[Any] = [None, ["a"], [call("a"), None]]

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            first = turn.round([call("page")])
            for calls in junk:
                with pytest.raises((TypeError, AttributeError)):
                    turn.round(calls)
            first.post(0, "posted")
            any_iterable: Any = iter([call("a")])
            return texts([*await first.complete(), *await turn.run(any_iterable)])

    assert run(main()) == ["posted", "a is done"]
    assert [event.what for event in house.events].count("opened") == 2


def test_calls_are_made_in_a_live_turn_only() -> None:
    async def main() -> None:
        turn = House({"a": well}).runtime().turn("ada")
        with pytest.raises(ProtocolError, match="live turn"):
            turn.round([call("a")])
        async with turn:
            pass
        with pytest.raises(ProtocolError, match="live turn"):
            turn.round([call("a")])
        with pytest.raises(ProtocolError, match="begins once"):
            await turn.begin()

    run(main())


def test_an_agent_is_in_one_turn_at_a_time() -> None:
    async def main() -> None:
        runtime = House().runtime()
        async with runtime.turn("ada"), runtime.turn("bob"):
            with pytest.raises(ProtocolError, match="ada is in a turn already"):
                await runtime.turn("ada").begin()
        async with runtime.turn("ada"):
            pass

    run(main())


def test_what_a_round_never_started_was_not_executed() -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a")])
        return texts(await one.complete())

    assert run(main()) == ["TOOL_NOT_EXECUTED"]
    assert house.ran == []


def test_they_start_in_call_order_also_when_answers_come_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each handler takes long enough for the answers before it to be recorded."""
    clock = itertools.count()
    monkeypatch.setattr(_round, "monotonic", lambda: next(clock))
    house = House(dict.fromkeys("abcd", well))
    ledger = MemoryLedger()
    states: list[Any] = []

    def looks(_route: Any, _context: Context) -> ToolResult:
        states.append([entry.state for entry in ledger.find(Wanted())])
        return ToolResult("")

    house.handlers = {**house.handlers, "b": looks}

    async def main() -> None:
        runtime = house.runtime(limits=Limits(at_once=2), ledger=ledger)
        async with runtime.turn("ada") as turn:
            await turn.run([call(name) for name in "abcd"])

    run(main())
    assert house.ran == ["a", "b", "c", "d"]
    assert states == [["answered", "started", "open", "open"]]
