import asyncio
import itertools
from typing import Any

import pytest
from runtime_house import Desk, Gate, House, call, run, settle_down, text, texts, well

from toolroute import ProtocolError, ToolError, ToolResult
from toolroute.runtime import (
    Context,
    Limits,
    MemoryLedger,
    Round,
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
