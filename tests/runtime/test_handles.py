"""Awaited calls: the handle decides who calls."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, text, texts, well

from toolroute import ProtocolError, Refusal, ToolCall, ToolResult
from toolroute.routing import Bound
from toolroute.runtime import Answer, Context, Limits, MemoryLedger, Runtime, Wanted


async def soon(route: Any, _context: Context) -> ToolResult:
    await asyncio.sleep(1)
    return ToolResult(f"{route.call.name} is done")


def test_no_handle_can_be_made_anothers() -> None:
    runtime = House().runtime(window=Desk())
    turn, puppet = runtime.turn("ada", id="t1"), runtime.puppet("ada")
    module = runtime.module("weather")
    named: list[tuple[Any, str]] = [(turn, "agent"), (turn, "id"), (puppet, "agent")]
    for handle, name in [*named, (module, "name")]:
        with pytest.raises(AttributeError, match="no setter"):
            setattr(handle, name, "bob")
    whose = (turn.agent, turn.id, puppet.agent, module.name)
    assert whose == ("ada", "t1", "ada", "weather")


def test_an_awaited_answer_goes_to_the_waiter() -> None:
    async def main() -> list[Any]:
        host = House({"a": well, "b": soon}).runtime().host()
        return texts([await host.call(call("a")), await host.call(call("b"))])

    assert run(main()) == ["a is done", "b is done"]


def test_in_a_turn_a_refusal_is_marked_awaited_it_is_not_and_both_are_errors() -> None:
    async def main() -> list[Any]:
        runtime = House().runtime()
        seen: list[Answer] = []
        async with runtime.turn("ada") as turn:
            seen += await turn.run([call("no")])
            seen.append(await turn.script().call(call("no")))
        seen.append(await runtime.host("ada").call(call("no")))
        seen.append(await runtime.module("m").call(call("no")))
        return [(answer.status, answer.is_error, text(answer)) for answer in seen]

    assert run(main()) == [
        ("refused", True, "TOOL_REFUSED"),
        ("error", True, "TOOL_REFUSED"),
        ("error", True, "TOOL_REFUSED"),
        ("error", True, "TOOL_REFUSED"),
    ]


def test_a_waiter_that_is_cancelled_leaves_the_call_to_its_own_end() -> None:
    gate = Gate()
    house = House({"a": gate})
    ledger = MemoryLedger()

    async def main() -> bool:
        host = house.runtime(ledger=ledger).host()
        waiter = asyncio.ensure_future(host.call(call("a")))
        await settle_down()
        waiter.cancel()
        await settle_down()
        assert house.told() == ["opened", "started"]
        gate.let("a")
        await settle_down()
        return waiter.cancelled()

    assert run(main()) is True
    assert house.told() == ["opened", "started", "answered returned"]
    (entry,) = ledger.find(Wanted(name="a"))
    assert text(entry.answer) == "a is done"


def test_a_call_under_way_can_be_awaited_often_and_by_many() -> None:
    async def main() -> list[Any]:
        under_way = House({"a": soon}).runtime().host().start(call("a"))
        assert under_way.answer is None

        async def waits() -> Answer:
            return await under_way

        answers = [*await asyncio.gather(waits(), waits()), await under_way]
        return [*texts(answers), text(under_way.answer)]

    assert run(main()) == ["a is done"] * 4


def test_cancelling_a_call_under_way_answers_it() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> Any:
        under_way = house.runtime().host().start(call("a"))
        await settle_down()
        under_way.cancel()
        under_way.cancel()
        answer = await under_way
        await settle_down()
        return text(answer)

    assert run(main()) == "TOOL_OUTCOME_UNKNOWN"
    assert house.told() == ["opened", "started", "answered outcome_unknown"]


def test_cancelling_a_call_that_is_answered_changes_nothing() -> None:
    house = House({"a": well})

    async def main() -> Any:
        under_way = house.runtime().host().start(call("a"))
        under_way.cancel()
        return text(await under_way)

    assert run(main()) == "a is done"
    assert house.told() == ["opened", "started", "answered returned"]


def test_awaited_calls_have_the_routes_time_limit_too() -> None:
    gate = Gate()
    house = House({"a": gate})

    async def main() -> list[Any]:
        host = house.runtime(limits=Limits(by_kind={"work": 4})).host()
        answer = await host.call(call("a"))
        return [text(answer), asyncio.get_running_loop().time()]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", 4]
    assert house.events[-1].cause == "time limit"


def test_a_host_calls_as_an_agent_or_as_nobody() -> None:
    house = House({"a": lambda route, _: ToolResult(route.capability)})
    house.capabilities |= {"ada": "adas", None: "the hosts"}

    async def main() -> list[Any]:
        runtime = house.runtime()
        return texts(
            [
                await runtime.host("ada").call(call("a")),
                await runtime.host().call(call("a")),
            ]
        )

    assert run(main()) == ["adas", "the hosts"]


def test_a_guard_of_nobody_is_not_lifted_by_naming_an_agent() -> None:
    """The host's own guard isn't asked of a named agent, but no capability comes."""
    house = House({"a": lambda route, _: ToolResult(route.capability)}, guarded={None})
    house.capabilities["ada"] = "adas"

    async def main() -> Any:
        return text(await house.runtime().module("m").call(call("a"), agent="ada"))

    assert run(main()) is None


def test_awaited_a_result_ends_no_turn() -> None:
    house = House({"a": lambda _route, _context: ToolResult("", ends_turn=True)})

    async def main() -> list[bool]:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            seen = [(await runtime.host("ada").call(call("a"))).ends_turn, turn.live]
            seen += [(await turn.script().call(call("a"))).ends_turn, turn.live]
            (answer,) = await turn.run([call("a")])
            return [*seen, answer.ends_turn, turn.live]

    assert run(main()) == [False, True, True, True, True, False]


def test_a_host_that_cannot_be_asked_refuses(caplog: pytest.LogCaptureFixture) -> None:
    house = House({"a": well})

    def view(agent: str | None) -> Any:
        raise LookupError(agent)

    async def main() -> Any:
        runtime = Runtime(house.bound(), view)
        answer = await runtime.host("ada").call(call("a"))
        return answer.kind, text(answer), answer.content["error"]["message"]

    assert run(main()) == (
        "refused",
        "CHECK_FAILED",
        "a couldn't be checked, so nothing was done.",
    )
    assert house.ran == []
    assert "couldn't be asked" in caplog.text


def _bound(**roads: Any) -> Bound[str, Any, Any]:
    def decide(_call: ToolCall, caller: str, _host: Any, _live: Any) -> Refusal:
        return Refusal(caller, caller, "no", caller)

    return Bound(
        decide=decide,
        surface=lambda *_: (),
        run=well,
        roads=roads,
        guards=frozenset(),
        fingerprint="f",
    )


def test_of_several_callers_on_a_road_the_handle_says_which() -> None:
    async def main() -> list[Any]:
        runtime = Runtime(_bound(cli="host", web="host", turn="turn"), lambda _: None)
        with pytest.raises(ProtocolError, match="on the road host are cli, web"):
            runtime.host()
        with pytest.raises(ProtocolError, match="not turn"):
            runtime.host(caller="turn")
        with pytest.raises(ProtocolError, match="no caller on the road module"):
            runtime.module("m")
        return texts(
            [
                await runtime.host(caller="web").call(call("a")),
                await runtime.host(caller="cli").call(call("a")),
            ]
        )

    assert run(main()) == ["web", "cli"]
