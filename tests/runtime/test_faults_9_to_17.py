"""The faults that this design makes impossible, each seen in the field."""

import asyncio
import dataclasses
import inspect
import logging
from typing import Any

import pytest
from made_up_time import run
from root_host import EVERYTHING, NAMES, RootHost
from runtime_house import Desk, House, call, settle_down, text, texts

from toolroute import ToolCall, ToolResult
from toolroute.runtime import (
    Context,
    Host,
    Limits,
    LoggingObserver,
    Module,
    Puppet,
    PuppetError,
    RawCall,
    Runtime,
    Script,
)

ENDS_ITS_TURN = (
    "skip_reply ends the turn it's called in, and this call wasn't made in a turn, "
    "so nothing was done."
)


async def _save(_route: Any, context: Context) -> ToolResult:
    left = await context.others(but=["save_recent_image"], seconds=30)
    waited = f"gave up on {', '.join(left)}" if left else "saved"
    return ToolResult(waited)


def test_09_a_save_made_inside_its_own_pending_call_is_not_held() -> None:
    modules: list[Module] = []

    async def snaps(_route: Any, _context: Context) -> ToolResult:
        given = await modules[0].call(call("save_recent_image"), agent="ada")
        return ToolResult(f"and {text(given)}")

    host = RootHost(do={"save_recent_image": _save, "notes--add": snaps})

    async def main() -> list[Any]:
        runtime = host.runtime()
        modules.append(runtime.module("notes"))
        async with runtime.turn("ada") as turn:
            answers = texts(
                await turn.run([call("notes--add"), call("save_recent_image")])
            )
        return [*answers, asyncio.get_running_loop().time()]

    assert run(main()) == ["and saved", "saved", 0]


def test_10_a_second_answer_neither_raises_nor_is_dropped() -> None:
    house = House()
    troubles: list[Any] = []

    async def main() -> list[Any]:
        asyncio.get_running_loop().set_exception_handler(
            lambda _loop, trouble: troubles.append(trouble)
        )
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("page")])
            given = [one.post(0, 1), one.post(0, 2)]
            await settle_down()
            return [*given, one.post(0, 3), *texts(await one.complete())]

    assert run(main()) == [True, False, False, 1]
    late = [event for event in house.events if event.what == "late"]
    assert texts([event.answer for event in late]) == [2, 3]
    assert troubles == []


@pytest.mark.parametrize("at_once", [1, 2, 9])
def test_11_results_are_stored_in_call_order_next_to_their_calls(at_once: int) -> None:
    desk = Desk()

    async def takes(route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(route.call.input["seconds"])
        runtime.deliver("ada", f"after {route.call.input['seconds']}")
        return ToolResult(route.call.input["seconds"])

    house = House({"a": takes})
    runtime: Runtime[Any, Any, Any] = house.runtime(
        window=desk, limits=Limits(at_once=at_once)
    )

    async def main() -> None:
        async with runtime.turn("ada") as turn:
            await turn.run([call("a", seconds=seconds) for seconds in (3, 1, 2)])

    run(main())
    assert desk.stored["ada"][:2] == [
        ("calls", ["a", "a", "a"]),
        ("results", [3, 1, 2]),
    ]
    assert sorted(desk.stored["ada"][2:]) == ["after 1", "after 2", "after 3"]


def test_12_a_modules_forgotten_route_is_told_as_that_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    host = RootHost(present=EVERYTHING - {"event_gate"})

    async def main() -> Any:
        runtime = Runtime(host.bound(), host.view, observers=[LoggingObserver()])
        return await runtime.module("m").call(call("gate_status"))

    answer = run(main())
    assert (answer.is_error, answer.content["error"]["code"]) == (
        True,
        "NO_SUCH_TOOL",
    )
    warned = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert [one.getMessage() for one in warned] == [
        "answered gate_status key=" + warned[0].getMessage().split("key=")[1]
    ]
    assert "answer=refused" in warned[0].getMessage()


def test_13_a_denied_skip_reply_silences_no_turn() -> None:
    host = RootHost(allowed={"ada": {"think"}})

    async def main() -> list[Any]:
        async with host.runtime().turn("ada") as turn:
            answers = await turn.run([call("skip_reply"), call("think")])
            assert turn.live
            host.allowed.clear()
            host.do["skip_reply"] = lambda _route, _context: ToolResult(
                "not now", is_error=True, ends_turn=True
            )
            answers += await turn.run([call("skip_reply")])
            assert turn.live
            del host.do["skip_reply"]
            answers += await turn.run([call("skip_reply")])
            assert not turn.live
            return [one.status for one in answers]

    assert run(main()) == ["refused", "ok", "error", "ok"]


def test_14_an_awaited_call_cannot_name_a_turn_that_it_is_not_made_in() -> None:
    seen: list[Any] = []

    def tells(_route: Any, context: Context) -> ToolResult:
        seen.append((context.turn, context.round))
        return ToolResult("")

    claims = {"turn": "t1", "turn_id": "t1", "round": 1, "context": {"turn": "t1"}}

    async def main() -> None:
        runtime = House({"a": tells}).runtime(window=Desk({"ada": "idle"}))
        async with runtime.turn("bob", id="t1"):
            for handle in (
                runtime.host("ada"),
                runtime.host("bob"),
                runtime.puppet("ada"),
                runtime.module("m"),
            ):
                await handle.call(ToolCall("t1", "a", claims), key="t1.1.0")

    run(main())
    assert seen == [(None, None)] * 4
    for handle in (Host, Puppet, Module, Script):
        named = {*inspect.signature(handle.call).parameters}
        assert named <= {"self", "call", "key", "agent"}
    for made in (ToolCall, RawCall):
        assert "turn" not in {field.name for field in dataclasses.fields(made)}


def test_15_a_forks_home_is_kept_on_every_road_and_when_a_module_names_it() -> None:
    host = RootHost(
        agents={"ada": frozenset({"primary"}), "fork": frozenset({"fork"})},
        homes={"fork": "#home"},
    )
    refused = (
        "This conversation is bound to channel #home; "
        "conversation agents cannot open channels."
    )

    async def main() -> list[Any]:
        desk = Desk({"fork": "idle"})
        runtime = host.runtime(window=desk)
        module = runtime.module("m")
        made = call("channel_open")
        async with runtime.turn("fork") as turn:
            answers = [*await turn.run([made]), await turn.script().call(made)]
        answers.append(await runtime.host("fork").call(made))
        answers.append(await module.call(made, agent="fork"))
        with pytest.raises(PuppetError) as acted:
            await runtime.puppet("fork").call(made)
        answers.append(acted.value.answer)
        assert host.ran == []
        assert not (await module.call(made, agent="ada")).is_error
        assert not (await module.call(made)).is_error
        return [one.content["error"]["message"] for one in answers]

    assert run(main()) == [refused] * 5


def test_16_a_connected_server_takes_none_of_the_hosts_names() -> None:
    host = RootHost(servers={"evil": ("agent_settings", "skip_reply", "evil--x")})

    async def main() -> list[Any]:
        runtime = host.runtime()
        given = [await runtime.host().call(call("agent_settings"))]
        async with runtime.turn("ada") as turn:
            given += await turn.run([call("agent_settings"), call("skip_reply")])
        given.append(await runtime.host().call(call("evil--x")))
        return [(one.content["kind"], one.content["server"]) for one in given]

    assert run(main()) == [
        ("agent_settings", None),
        ("agent_settings", None),
        ("skip_reply", None),
        ("mcpl", "evil"),
    ]


def test_17_no_call_that_another_carries_gets_past_the_operators_check() -> None:
    host = RootHost()
    desk = Desk()
    skip = {"tool": "skip_reply"}
    nested = {"tool": "toolsets--act", "input": skip}

    async def main() -> list[str]:
        puppet = host.runtime(window=desk).puppet("ada")
        words: list[str] = []
        for given in (skip, nested, {"tool": "toolsets--act", "input": nested}):
            with pytest.raises(PuppetError) as refused:
                await puppet.call(ToolCall("1", "toolsets--act", given))
            words.append(str(refused.value))
        return words

    unknown = "Invalid tool name format: toolsets--act, so nothing was done"
    assert run(main()) == [ENDS_ITS_TURN, unknown, unknown]
    assert (host.ran, desk.stored) == ([], {})


def test_17_one_that_carries_an_allowed_call_is_made_and_stored_as_the_outer() -> None:
    host = RootHost()
    desk = Desk()

    async def main() -> Any:
        puppet = host.runtime(window=desk).puppet("ada")
        return await puppet.call(ToolCall("1", "toolsets--act", {"tool": "think"}))

    assert run(main()).content["name"] == "think"
    assert desk.stored["ada"][0] == ("calls", ["toolsets--act"])
    assert {*NAMES} >= {"toolsets", "agent_verb"}
