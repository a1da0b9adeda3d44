"""What comes in reaches who listens, and wakes who may be woken."""

from typing import TYPE_CHECKING

import pytest

from toolroute_host.inbox import Inbox, Wake
from toolroute_host.prose import HELP, Said, segments
from toolroute_host.windows import user_message

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Hands, Roads


def received(roads: "Roads", channel: str, author: str, content: str) -> list[Wake]:
    async def act(runtime: "HostRuntime") -> list[Wake]:
        return Inbox(roads.world, runtime).receive(channel, author, content)

    return roads.run(act)


def due(roads: "Roads") -> list[Wake]:
    async def act(runtime: "HostRuntime") -> list[Wake]:
        return list(Inbox(roads.world, runtime).due())

    return roads.run(act)


def said(roads: "Roads", agent: str, prose: str, origin: str | None) -> list[str]:
    async def act(runtime: "HostRuntime") -> list[str]:
        return Inbox(roads.world, runtime).say(roads.world.agents[agent], prose, origin)

    return roads.run(act)


def test_a_message_reaches_who_has_the_channel_open_and_a_fork_at_home(
    roads: "Roads",
) -> None:
    assert received(roads, "lobby", "mia", "too early") == []
    roads.turn("ada", "channel_open", channelId="lobby")
    assert received(roads, "lobby", "mia", "hello") == [Wake("ada", "mia on lobby")]
    assert roads.stored("ada")[-1] == user_message("[lobby] mia: hello")
    assert roads.stored("bea") == []
    assert received(roads, "fay-room", "mia", "hi fay") == [
        Wake("fay", "mia on fay-room")
    ]
    roads.turn("ada", "channel_close", channelId="lobby")
    assert received(roads, "lobby", "mia", "too late") == []


def test_nobody_wakes_for_its_own_words(roads: "Roads") -> None:
    roads.turn("ada", "channel_open", channelId="lobby")
    assert received(roads, "lobby", "ada", "to myself") == []


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("sleep", {"seconds": 60}),
        ("tune_out", {"action": "add", "channelId": "lobby", "seconds": 60}),
        ("focus", {"action": "on", "channelId": "log", "seconds": 60}),
        ("wake_add_rule", {"name": "r", "behavior": "defer"}),
    ],
)
def test_each_way_of_being_quiet_keeps_the_message_and_wakes_nobody(
    roads: "Roads", clock: "Hands", tool: str, given: dict[str, object]
) -> None:
    roads.turn("ada", "channel_open", channelId="lobby")
    assert not roads.turn("ada", tool, **given).is_error
    assert received(roads, "lobby", "mia", "psst") == []
    assert roads.stored("ada")[-1] == user_message("[lobby] mia: psst")
    if tool == "wake_add_rule":
        roads.turn("ada", "wake_remove_rule", name="r")
    else:
        clock.pass_(60)
    assert received(roads, "lobby", "mia", "now") == [Wake("ada", "mia on lobby")]


def test_tuning_back_in_and_looking_up_again(roads: "Roads") -> None:
    roads.turn("ada", "channel_open", channelId="lobby")
    roads.turn("ada", "tune_out", action="add", channelId="lobby")
    roads.turn("ada", "focus", action="on", channelId="lobby")
    assert received(roads, "lobby", "mia", "a") == []
    roads.turn("ada", "tune_out", action="remove", channelId="lobby")
    assert received(roads, "lobby", "mia", "b") == [Wake("ada", "mia on lobby")]
    roads.turn("ada", "focus", action="on", channelId="log")
    assert received(roads, "lobby", "mia", "c") == []
    roads.turn("ada", "focus", action="off")
    assert received(roads, "lobby", "mia", "d") == [Wake("ada", "mia on lobby")]


def test_deadlines_come_once_and_a_heart_beats_again(
    roads: "Roads", clock: "Hands"
) -> None:
    roads.turn("ada", "skip_reply", wake_in_seconds=30, reason="look again")
    roads.turn("bea", "think")
    roads.turn("ada", "heartbeat_set", every_seconds=60)
    roads.turn("ada", "sleep", seconds=45, announce=False)
    assert due(roads) == []
    clock.pass_(30)
    assert due(roads) == [Wake("ada", "it asked to be woken (look again)")]
    assert due(roads) == []
    clock.pass_(300)
    assert due(roads) == [Wake("ada", "its heart beats")]
    clock.pass_(60)
    assert due(roads) == [Wake("ada", "its heart beats")]
    roads.turn("ada", "heartbeat_set", every_seconds=None)
    clock.pass_(60)
    assert due(roads) == []


def test_a_burst_wakes_once_it_is_over(roads: "Roads", clock: "Hands") -> None:
    roads.turn("ada", "channel_open", channelId="lobby")
    roads.turn("ada", "wake_add_rule", name="burst", debounceMs=5_000)
    assert [received(roads, "lobby", "mia", str(each)) for each in range(3)] == [[]] * 3
    clock.pass_(5)
    assert due(roads) == [Wake("ada", "the rule 'burst' says it's quiet now")]


@pytest.mark.parametrize("owner", ["ada", None])
def test_a_burst_that_is_over_wakes_nobody_who_sleeps(
    roads: "Roads", clock: "Hands", owner: str | None
) -> None:
    roads.turn("ada", "channel_open", channelId="lobby")
    roads.turn("ada", "wake_add_rule", name="burst", debounceMs=5_000)
    assert received(roads, "lobby", "mia", "psst") == []
    roads.host(owner, "sleep", seconds=60)
    clock.pass_(5)
    assert due(roads) == []


def test_a_heart_does_not_beat_on_a_host_without_hearts(
    roads: "Roads", clock: "Hands"
) -> None:
    roads.turn("ada", "heartbeat_set", every_seconds=60)
    roads.world.heartbeat = None
    clock.pass_(60)
    assert due(roads) == []


def test_the_hosts_own_heart_wakes_everybody(roads: "Roads", clock: "Hands") -> None:
    roads.host(None, "heartbeat_set", every_seconds=60)
    clock.pass_(60)
    assert [wake.agent for wake in due(roads)] == ["ada", "bea", "fay", "mum"]


ADDRESSED = "before\n>>log\nto the log\n\n>>lobby\nto the lobby"


def test_prose_goes_where_the_reference_says() -> None:
    assert segments(ADDRESSED, origin="room", home=None) == [
        Said("room", "before"),
        Said("log", "to the log"),
        Said("lobby", "to the lobby"),
    ]
    assert segments(ADDRESSED, origin=None, home=None)[0] == Said(None, "before")
    assert {each.channel for each in segments(ADDRESSED, origin="x", home="home")} == {
        "home"
    }
    assert segments(" \n\n>>log\n \n", origin="room", home=None) == []
    assert segments(">> log\nx >>log\n>>\n>>a b", origin="room", home=None) == [
        Said("room", ">> log\nx >>log\n>>\n>>a b")
    ]
    for rule in ("1.", "2.", "3.", "4.", "5.", ">>lobby", "home channel"):
        assert rule in HELP


def test_what_an_agent_says_is_published(roads: "Roads") -> None:
    assert said(roads, "bea", ADDRESSED, None) == ["lobby", "log", "lobby"]
    assert said(roads, "ada", ADDRESSED, "lobby") == ["log", "lobby"]
    assert said(roads, "fay", ADDRESSED, "lobby") == ["fay-room"] * 3
    registry = roads.world.channel_registry
    assert registry is not None
    assert [each.content for each in registry.get("fay-room").recent(9)] == [
        "before",
        "to the log",
        "to the lobby",
    ]


def test_what_is_said_to_no_channel_stays_private_and_the_rest_is_sent(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    assert said(roads, "bea", "a\n>>nowhere\nb\n>>log\nc", None) == ["lobby", "log"]
    assert [each.getMessage() for each in caplog.records] == [
        "bea wrote to nowhere, which isn't there"
    ]
