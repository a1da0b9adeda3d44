"""Windows are well formed, whatever stops the host, and say what is true."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolroute import ToolCall
from toolroute.runtime import Exchange, MemoryLedger, OutcomeUnknown, SqliteLedger
from toolroute.transcript import check
from toolroute_host.agents import Agent
from toolroute_host.channels import ChannelRegistry
from toolroute_host.gate import EventGate
from toolroute_host.running import runtime_of
from toolroute_host.store import Store
from toolroute_host.turns import recover, run_round
from toolroute_host.windows import Windows, assistant_message, user_message
from toolroute_host.world import World

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

BUSY = Path(__file__).parent / "servers/busy.py"


def uses(calls: list[ToolCall]) -> list[Any]:
    blocks: list[Any] = assistant_message(calls)["content"]
    return blocks


def results(message: Any) -> list[tuple[str, bool, Any]]:
    return [
        (
            block["tool_use_id"],
            block.get("is_error", False),
            json.loads(block["content"]),
        )
        for block in message["content"]
    ]


def test_a_round_is_stored_as_two_messages_in_call_order(roads: "Roads") -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "1", "name": "files--list", "input": {}},
            {"type": "tool_use", "id": "2", "name": "nothing", "input": {}},
        ],
    }

    async def act(runtime: "HostRuntime") -> None:
        runtime.deliver("ada", user_message("What is there?"))
        async with runtime.turn("ada") as turn:
            calls = [ToolCall("1", "files--list"), ToolCall("2", "nothing")]
            await run_round(roads.world, turn, calls, message)

    roads.run(act)
    first, second, third = roads.stored("ada")
    assert (first, second) == (user_message("What is there?"), message)
    assert [(each, error) for each, error, _ in results(third)] == [
        ("1", False),
        ("2", True),
    ]
    assert check(roads.stored("ada"), "anthropic") == []
    assert roads.world.store.read("SELECT * FROM unfinished_rounds") == []


ODD_IDS = ["", "a", "b", "é", "a b", "call:1", "\ud800", "x" * 300]
ROUNDS = st.lists(
    st.lists(st.sampled_from(ODD_IDS), max_size=3) | st.sampled_from(["puppet", "say"]),
    max_size=8,
)


@given(ROUNDS, st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_whatever_is_stored_is_a_window_that_a_provider_takes(
    rounds: list[Any], most: int
) -> None:
    world = World(agents=[Agent("ada")])
    world.channel_registry = ChannelRegistry(world.store, world.now)

    async def act() -> None:
        async with runtime_of(world) as runtime:
            for each in rounds:
                if each == "say":
                    runtime.deliver("ada", user_message("And now?"))
                elif each == "puppet":
                    await runtime.puppet("ada").call(ToolCall("a", "think"))
                else:
                    calls = [ToolCall(name, "think") for name in each]
                    made = assistant_message(calls) if len(calls) > 1 else None
                    async with runtime.turn("ada") as turn:
                        await run_round(world, turn, calls, made)

    asyncio.run(act())
    assert check(world.windows.messages("ada"), "anthropic") == []
    assert check(world.windows.messages("ada", most), "anthropic") == []
    world.close()


def test_an_id_that_is_one_is_stored_and_one_that_is_not_is_made_one(
    store: Store,
) -> None:
    world = World(store, agents=[Agent("ada"), Agent("bea")])
    text = {"type": "text", "text": "Both."}
    calls = [ToolCall("a", "one"), ToolCall("a", "two")]
    message = {"role": "assistant", "content": [text, *uses(calls)]}
    answers = [OutcomeUnknown("one"), OutcomeUnknown("two")]
    world.windows.store("ada", Exchange(None, message, calls, answers))
    world.windows.store("bea", Exchange(None, message, calls[:1], answers[:1]))
    said, told = world.windows.messages("ada")
    first, one, two = said["content"]
    assert (first, one["id"], two["name"]) == (text, "a", "two")
    assert re.fullmatch("call_[0-9a-f]{24}", two["id"])
    assert [each for each, *_ in results(told)] == ["a", two["id"]]
    assert world.windows.messages("bea")[0]["content"][1]["id"] == "a"


def test_a_message_without_calls_is_stored_alone(roads: "Roads") -> None:
    message = {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}

    async def act(runtime: "HostRuntime") -> None:
        async with runtime.turn("ada") as turn:
            await run_round(roads.world, turn, [], message)
            await run_round(roads.world, turn, [])

    roads.run(act)
    assert roads.stored("ada") == [message]


def test_a_message_that_comes_meanwhile_lands_behind_the_results(
    roads: "Roads",
) -> None:
    async def act(runtime: "HostRuntime") -> None:
        async with runtime.turn("ada") as turn:
            one = asyncio.create_task(
                run_round(roads.world, turn, [ToolCall("1", "words--define")])
            )
            await asyncio.sleep(0)
            runtime.deliver("ada", user_message("And another thing."))
            await one

    roads.run(act)
    assert roads.stored("ada")[2] == user_message("And another thing.")
    assert check([user_message("x"), *roads.stored("ada")], "anthropic") == []


def test_a_window_never_begins_between_a_call_and_its_result(
    roads: "Roads",
) -> None:
    for _ in range(3):
        roads.turn("ada", "think")
    shown = roads.world.windows.messages("ada", 3)
    assert [message["role"] for message in shown] == ["assistant", "user"]


def test_a_round_that_could_not_begin_leaves_nothing(roads: "Roads") -> None:
    async def act(runtime: "HostRuntime") -> None:
        turn = runtime.turn("ada")
        with pytest.raises(Exception, match="live turn"):
            await run_round(roads.world, turn, [ToolCall("1", "think")])

    roads.run(act)
    assert roads.world.store.read("SELECT * FROM unfinished_rounds") == []


def test_a_host_that_was_killed_in_a_round_starts_again_with_the_truth(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, str(BUSY), str(tmp_path)], stdout=subprocess.PIPE
    ) as busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == b"started\n"
        busy.kill()
    store = Store(tmp_path / "host.db")
    ledger = SqliteLedger(tmp_path / "ledger.db")
    world = World(store, agents=[Agent("ada")])
    assert world.windows.messages("ada") == [user_message("Open the valve.")]
    assert recover(world, ledger) == ["ada"]
    assert recover(world, ledger) == []
    messages = world.windows.messages("ada")
    assert check(messages, "anthropic") == []
    wrote, opened, not_run = results(messages[2])
    assert wrote == ("a", False, {"path": "a.txt", "bytes": 7, "replaced": False})
    assert opened[:2] == ("b", True)
    assert opened[2]["error"]["code"] == "TOOL_OUTCOME_UNKNOWN"
    assert not_run[:2] == ("c", True)
    assert not_run[2]["error"]["code"] == "TOOL_NOT_EXECUTED"
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["a.txt"]
    gate = EventGate(store, world.now)
    assert gate.asleep_until("ada") is not None
    assert [rule.name for rule in gate.rules("ada")] == ["quiet"]
    ledger.close()
    store.close()


def test_a_round_that_the_ledger_does_not_know_is_not_said_to_be_not_run(
    reopened: Callable[[], Store],
) -> None:
    world = World(reopened(), agents=[Agent("ada")])
    world.windows.begin("ada", None, [ToolCall("1", "valve--open")])
    world = World(reopened(), agents=[Agent("ada")])
    recover(world, MemoryLedger())
    _, answered = world.windows.messages("ada")
    ((_, _, said),) = results(answered)
    assert said["error"]["code"] == "TOOL_OUTCOME_UNKNOWN"


def test_a_round_that_another_process_runs_is_left_to_it(tmp_path: Path) -> None:
    running, another = Store(tmp_path / "host.db"), Store(tmp_path / "host.db")
    agents = [Agent("ada")]
    one, two = World(running, agents=agents), World(another, agents=agents)
    begun = one.windows.begin("ada", None, [ToolCall("1", "valve--open")])
    assert recover(two, MemoryLedger()) == []
    assert two.windows.status("ada") == "in a round that another process runs"
    assert one.windows.status("ada") == "idle"
    call, answer = ToolCall("1", "valve--open"), OutcomeUnknown("valve--open")
    one.windows.store("ada", Exchange(None, begun, [call], [answer]))
    assert two.windows.status("ada") == "idle"
    assert len(two.windows.messages("ada")) == 2
    running.close()
    another.close()


def test_a_round_is_stored_once_whoever_finds_it(
    reopened: Callable[[], Store],
) -> None:
    world = World(reopened(), agents=[Agent("ada")])
    call, answer = ToolCall("1", "valve--open"), OutcomeUnknown("valve--open")
    begun = world.windows.begin("ada", None, [call])
    exchange = Exchange(None, begun, [call], [answer])
    world = World(reopened(), agents=[Agent("ada")])
    assert recover(world, MemoryLedger()) == ["ada"]
    world.windows.store("ada", exchange)
    assert len(world.windows.messages("ada")) == 2


def test_two_agents_windows_are_apart(store: Store) -> None:
    world = World(store, agents=[Agent("ada"), Agent("bea")])
    windows: Windows = world.windows
    windows.deliver("ada", user_message("for ada"))
    assert windows.messages("bea") == []
    assert (windows.status("ada"), windows.status("zoe")) == ("idle", None)


def test_an_agent_that_is_not_there_has_no_puppet(store: Store) -> None:
    world = World(store)

    async def act() -> str:
        async with runtime_of(world) as runtime:
            with pytest.raises(Exception, match="Unknown agent: zoe") as error:
                await runtime.puppet("zoe").call(ToolCall("1", "think"))
        return str(error.value)

    assert asyncio.run(act()) == "Unknown agent: zoe"


def test_an_agent_is_shown_as_many_messages_as_it_set(roads: "Roads") -> None:
    for _ in range(3):
        roads.turn("ada", "think")
    assert len(roads.world.shown("ada")) == 6
    roads.turn("ada", "agent_settings", action="update", window_messages=4)
    assert len(roads.world.shown("ada")) == 4
    assert check(roads.world.shown("ada"), "anthropic") == []


def test_a_fork_has_a_home_and_a_window_of_its_own_and_is_kept(
    reopened: Callable[[], Store],
) -> None:
    agents = [Agent("ada", primary=True, allowed_tools=frozenset({"think"}))]
    world = World(reopened(), agents=agents)
    fork = world.agents.fork("ada", "lobby")
    assert fork == Agent("ada@lobby", home="lobby", allowed_tools=frozenset({"think"}))
    assert world.agents.fork("ada", "lobby") is fork
    world.windows.deliver("ada@lobby", user_message("hello"))
    world.agents.add(Agent("ada@attic"))
    with pytest.raises(ValueError, match="named 'ada@attic' already, and no fork"):
        world.agents.fork("ada", "attic")
    with pytest.raises(ValueError, match="ada@lobby is a fork itself"):
        world.agents.fork("ada@lobby", "attic")
    world = World(reopened(), agents=agents)
    assert world.agents["ada@lobby"] == fork
    assert world.windows.messages("ada@lobby") == [user_message("hello")]
    assert world.windows.messages("ada") == []
    world.agents.remove("ada@lobby")
    assert World(reopened(), agents=agents).agents.get("ada@lobby") is None
    World(reopened(), agents=[Agent("bea")])
