"""What a module, nobody, a fork or an agent with a list may call."""

from typing import TYPE_CHECKING

import pytest

from .answers import ROADS, error, refusal

if TYPE_CHECKING:
    from .conftest import Roads


@pytest.mark.parametrize("name", ["think", "journal", "skip_reply", "drafts"])
def test_a_module_is_refused_what_is_the_agents_own(roads: "Roads", name: str) -> None:
    for agent in ("ada", None):
        answer = roads.module(agent, name, content="x", action="list")
        assert refusal(answer) == "agents_own"
        assert error(answer) == {
            "code": "TOOL_REFUSED",
            "message": f"{name} is the agent's own, which a module's call can't make "
            "for it, so nothing was done.",
            "retry": "no",
        }
    assert roads.world.notes.read("ada", name) == []


def test_nobody_can_think_and_journal_and_keeps_what_it_wrote(roads: "Roads") -> None:
    assert not roads.host(None, "think", content="whose thought").is_error
    assert not roads.host(None, "journal", content="whose entry").is_error
    assert roads.world.notes.read("", "think") == ["whose thought"]
    assert roads.world.notes.read("", "journal") == ["whose entry"]


def test_a_call_as_an_agent_that_is_not_there_is_closed_not_open(
    roads: "Roads",
) -> None:
    answer = roads.host("zoe", "files--write", path="a.txt", content="x")
    assert error(answer)["code"] == "CHECK_FAILED"
    assert error(roads.host(None, "files--read", path="a.txt"))["message"] == (
        "files--read: a.txt isn't there."
    )


def test_naming_an_agent_confers_nothing_on_a_module(roads: "Roads") -> None:
    settings = roads.world.settings
    assert refusal(roads.module("ada", "focus", action="status")) == "primary_only"
    changed = roads.module("ada", "agent_settings", action="update", backscroll=9)
    assert not changed.is_error
    assert settings.all("ada")["backscroll"] == 0
    assert settings.all("")["backscroll"] == 9
    assert not roads.module("ada", "sleep", seconds=60).is_error
    assert roads.world.event_gate is not None
    assert roads.world.event_gate.asleep_until("ada") is None


def test_the_agent_that_a_module_names_has_its_guards_asked(roads: "Roads") -> None:
    for agent, refused in (("mum", "not_allowed"), ("bea", "not_allowed")):
        assert refusal(roads.module(agent, "prose_help")) == refused
    assert not roads.module(None, "prose_help").is_error
    assert not roads.module("ada", "prose_help").is_error


@pytest.mark.parametrize("road", ROADS)
def test_a_fork_keeps_to_its_home_whoever_names_it(roads: "Roads", road: str) -> None:
    opened = roads.on(road, "fay", "channel_open", channelId="lobby")
    assert error(opened) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; conversation "
        "agents cannot open channels.",
        "retry": "no",
    }
    said = roads.on(road, "fay", "channel_publish", channelId="lobby", content="hi")
    assert error(said) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; publishing to "
        "lobby is not allowed.",
        "retry": "with-changes",
    }
    closed = roads.on(road, "fay", "channel_close", channelId="log")
    assert error(closed) == {
        "code": "TOOL_REFUSED",
        "message": "This conversation is bound to channel fay-room; closing log is "
        "not allowed.",
        "retry": "with-changes",
    }
    at_home = roads.on(
        road, "fay", "channel_publish", channelId="fay-room", content="x"
    )
    assert not at_home.is_error
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    assert [each.content for each in registry.get("fay-room").recent(9)] == ["x"]


@pytest.mark.parametrize("named", [7, ["fay-room"], {"a": 1}, "", False, "FAY-ROOM"])
def test_a_fork_gets_past_its_home_with_no_shape_of_a_name(
    roads: "Roads", named: object
) -> None:
    answer = roads.turn("fay", "channel_publish", channelId=named, content="hi")
    assert refusal(answer) == "fork_cannot_publish"


def test_a_fork_sends_no_draft_elsewhere(roads: "Roads") -> None:
    roads.turn("fay", "drafts", action="save", content="hi", channelId="lobby")
    sent = roads.turn("fay", "drafts", action="send", draft=1)
    assert error(sent)["message"] == (
        "This conversation is bound to channel fay-room; publishing to lobby is not "
        "allowed."
    )
    assert not roads.turn(
        "fay", "drafts", action="send", draft=1, channelId="fay-room"
    ).is_error


def test_an_agents_list_says_what_it_may_call_and_an_empty_one_nothing(
    roads: "Roads",
) -> None:
    for road in ("turn", "script", "host", "module"):
        answer = roads.on(road, "bea", "journal", content="x")
        assert error(answer)["message"] == (
            "Tool 'journal' is not permitted by this agent's allowedTools."
        )
        assert refusal(roads.on(road, "mum", "prose_help")) == "not_allowed"
    assert not roads.turn("bea", "think").is_error
    carried = roads.turn("bea", "toolsets--act", tool="think")
    assert refusal(carried) == "not_allowed"


@pytest.mark.parametrize("road", ["turn", "script", "host", "puppet"])
def test_a_fork_does_not_sleep_but_wakes(roads: "Roads", road: str) -> None:
    answer = roads.on(road, "fay", "sleep", seconds=60)
    if road == "puppet":
        assert refusal(answer) == "puppet_off_surface"
    else:
        assert error(answer)["message"] == (
            "sleep is not for a conversation's own agent, so nothing was done."
        )
    assert not roads.on(road, "fay", "wake").is_error
