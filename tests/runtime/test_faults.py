"""The faults that this design makes impossible, each seen in the field."""

import asyncio
import dataclasses
import inspect
import itertools
import logging
from typing import Any

import pytest
from root_host import EVERYTHING, NAMES, RootHost
from runtime_house import Desk, Gate, House, call, run, settle_down, text, texts, well

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

FOURTEEN = (
    *("agent_settings", "save_recent_image", "read_image", "fetch_reference"),
    *("gate_status", "event_tags", "wake_add_rule", "wake_remove_rule"),
    *("sleep", "wake", "think", "journal", "skip_reply", "prose_help"),
)
ENDS_ITS_TURN = (
    "skip_reply ends the turn it's called in, and this call wasn't made in a turn, "
    "so nothing was done."
)


def test_01_names_that_the_turn_routes_are_not_unknown_when_awaited() -> None:
    host = RootHost()

    async def main() -> None:
        runtime = host.runtime(window=Desk())
        for name in FOURTEEN:
            async with runtime.turn("ada") as turn:
                (own,) = await turn.run([call(name)])
            assert own.content["name"] == name
            awaited = await runtime.host("ada").call(call(name))
            try:
                acted = await runtime.puppet("ada").call(call(name))
            except PuppetError as refused:
                acted = refused.answer
            if name == "skip_reply":
                words = [one.content["error"]["message"] for one in (awaited, acted)]
                assert words == [ENDS_ITS_TURN] * 2
            else:
                assert [awaited.content, acted.content] == [own.content] * 2
                assert (awaited.status, acted.status) == ("ok", "ok")

    run(main())


def test_02_nested_server_prefixes_go_to_one_server_on_every_road() -> None:
    host = RootHost(
        servers={"files": ("files--read",), "files--old": ("files--old--read",)}
    )
    made = [call("files--read"), call("files--old--read"), call("files--old--write")]

    async def main() -> list[list[str]]:
        runtime = host.runtime(window=Desk())
        module = runtime.module("m")
        roads: list[list[Any]] = []
        async with runtime.turn("ada") as turn:
            roads.append([*await turn.run(made)])
            roads.append([await turn.script().call(one) for one in made])
        roads.append([await runtime.host("ada").call(one) for one in made])
        roads.append([await module.call(one) for one in made])
        puppet = runtime.puppet("ada")
        roads.append([await puppet.call(one) for one in made[:2]])
        return [[one.content["server"] for one in road] for road in roads]

    owners = ["files", "files--old", "files--old"]
    assert run(main()) == [owners] * 4 + [owners[:2]]


def test_03_a_servers_error_result_is_an_error_when_awaited() -> None:
    async def fails(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(1)
        return ToolResult("no such file", is_error=True)

    host = RootHost(do={"files--read": fails})

    async def main() -> list[Any]:
        runtime = host.runtime(window=Desk())
        async with runtime.turn("ada") as turn:
            answers = [*await turn.run([call("files--read")])]
            answers.append(await turn.script().call(call("files--read")))
        answers.append(await runtime.host("ada").call(call("files--read")))
        answers.append(await runtime.puppet("ada").call(call("files--read")))
        answers.append(await runtime.module("m").call(call("files--read")))
        return [(one.status, one.content) for one in answers]

    assert run(main()) == [("error", "no such file")] * 5


def test_04_a_handler_that_raises_leaves_no_later_call_without_an_answer() -> None:
    def raises(_route: Any, _context: Context) -> ToolResult:
        raise ValueError("evicted")

    host = RootHost(do={"fetch_reference": raises})
    made = [call("utils"), call("fetch_reference"), call("think"), call("journal")]

    async def main() -> list[Any]:
        async with host.runtime(limits=Limits(at_once=1)).turn("ada") as turn:
            return [*await turn.run(made)]

    answers = run(main())
    assert [one.kind for one in answers] == [
        "returned",
        "failed",
        "returned",
        "returned",
    ]
    assert answers[1].content["error"]["message"] == (
        "fetch_reference couldn't answer: evicted"
    )


@pytest.mark.parametrize("how", ["returns nothing", "never ends"])
def test_05_a_handler_that_forgets_to_answer_leaves_no_turn_waiting(how: str) -> None:
    async def forgets(_route: Any, _context: Context) -> Any:
        if how == "never ends":
            await asyncio.get_running_loop().create_future()

    async def main() -> list[Any]:
        async with House({"a": forgets, "b": well}).runtime().turn("ada") as turn:
            return texts(await turn.run([call("a"), call("b")]))

    unanswered = {
        "returns nothing": "TOOL_FAILED",
        "never ends": "TOOL_OUTCOME_UNKNOWN",
    }
    assert run(main()) == [unanswered[how], "b is done"]


async def _code(route: Any, context: Context) -> ToolResult:
    """A script that makes the calls in its input, one after the other."""
    async with context.script() as script:
        made = [ToolCall("", name) for name in route.call.input["code"]]
        return ToolResult([text(await script.call(one)) for one in made])


def test_06_two_code_executions_in_one_message_are_both_answered() -> None:
    gates = {"one": Gate(), "two": Gate()}
    house = House({"code": _code, "a": gates["one"], "b": gates["two"]})
    made = [call("code", "same", code=["a"]), call("code", "same", code=["b"])]

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            running = asyncio.ensure_future(turn.run(made))
            await settle_down()
            gates["two"].let("b")
            await settle_down()
            gates["one"].let("a")
            return texts(await running)

    assert run(main()) == [["a is done"], ["b is done"]]


def test_07_a_stopped_scripts_late_result_answers_no_other_script() -> None:
    async def late(_route: Any, _context: Context) -> ToolResult:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            await asyncio.sleep(1)
        return ToolResult("the first script's", ends_turn=True)

    gate = Gate()
    house = House({"late": late, "a": gate})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            first, second = turn.script(), turn.script()
            stopped = first.start(call("late", "same"))
            await settle_down()
            first.stop()
            running = second.start(call("a", "same"))
            await asyncio.sleep(2)
            assert house.told("late")[-1] == "late returned"
            assert running.answer is None
            gate.let("a")
            answers = texts([await stopped, await running])
            return [*answers, first.ends_turn, second.ends_turn, turn.live]

    assert run(main()) == [
        "TOOL_OUTCOME_UNKNOWN",
        "a is done",
        False,
        False,
        True,
    ]


def test_07_a_stopped_scripts_end_of_turn_ends_no_other_turn() -> None:
    scripts: list[Script] = []

    async def background(_route: Any, context: Context) -> ToolResult:
        scripts.append(context.script())
        return ToolResult("started")

    house = House({"background": background, "a": well})

    async def main() -> list[Any]:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            await turn.run([call("background")])
        async with runtime.turn("ada") as turn:
            answer = await scripts[0].call(call("over"))
            await turn.run([call("a")])
            return [text(answer), scripts[0].ends_turn, turn.live]

    assert run(main()) == ["TOOL_REFUSED", False, True]


async def _race(order: tuple[str, ...], gap: int) -> list[Any]:
    """What is stored when these come in this order, so many moments apart."""
    desk = Desk()

    async def takes(_route: Any, _context: Context) -> ToolResult:
        await settle_down()
        return ToolResult("")

    runtime = House({"b": takes}).runtime(window=desk)

    async def wake() -> None:
        async with runtime.turn("ada") as turn:
            await asyncio.sleep(0)
            await turn.run([call("b"), call("b")])

    async def act() -> None:
        try:
            await runtime.puppet("ada").call(call("b"))
        except PuppetError as refused:
            assert "requires idle" in str(refused)  # noqa: PT017 -- or it's made

    async def message() -> None:
        runtime.deliver("ada", "hello")

    does = {"wake": wake, "act": act, "message": message}
    tasks: list[Any] = []
    for name in order:
        tasks.append(asyncio.ensure_future(does[name]()))
        for _ in range(gap):
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return desk.stored["ada"]


def test_08_no_race_of_an_idle_check_and_a_wake_splits_the_pair() -> None:
    """A wake, messages and operators, in every order and at many moments."""
    orders = itertools.permutations(("wake", "act", "message", "act", "message"))
    for order in {*orders}:
        for gap in (0, 1, 2, 5, 30):
            stored = run(_race(order, gap))
            heads = [n for n, one in enumerate(stored) if one[0] == "calls"]
            assert all(stored[head + 1][0] == "results" for head in heads)
            assert len(heads) in (1, 2, 3)
            assert stored.count("hello") == 2


def test_08_a_handler_that_takes_its_time_is_no_gap_either() -> None:
    gate = Gate()
    desk = Desk()

    async def main() -> None:
        runtime = House({"a": gate}).runtime(window=desk)
        act = runtime.puppet("ada").start(call("a"))
        runtime.deliver("ada", "hello")
        begins = asyncio.ensure_future(runtime.turn("ada").begin())
        await settle_down()
        assert not begins.done()
        gate.let("a")
        await act
        await begins

    run(main())
    assert desk.stored["ada"] == [
        ("calls", ["a"]),
        ("results", ["a is done"]),
        "hello",
    ]


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
