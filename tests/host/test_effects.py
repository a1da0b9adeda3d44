"""What a call leaves behind: a sleep, a stored act, an open toolset."""

from typing import TYPE_CHECKING

import pytest

from toolroute import ToolCall
from toolroute_host.toolsets import Toolset, Toolsets

from .answers import error

if TYPE_CHECKING:
    from toolroute_host.store import Store

    from .conftest import Hands, Roads


def test_a_sleep_in_a_turn_ends_it_and_is_said_on_the_agents_channel(
    roads: "Roads",
) -> None:
    answer = roads.turn("ada", "sleep", seconds=60, message="Good night.")
    assert answer.content == {"asleep_until": "2027-01-15T08:01:00Z"}
    assert answer.ends_turn
    registry = roads.world.channel_registry
    assert registry is not None
    (said,) = registry.get("lobby").recent(9)
    assert (said.author, said.content) == ("ada", "Good night.")


@pytest.mark.parametrize("road", ["host", "puppet", "module"])
def test_an_awaited_sleep_is_logged_and_not_announced(
    roads: "Roads", road: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "toolroute_host"):
        answer = roads.on(road, "ada", "sleep", seconds=60)
    assert not answer.is_error
    assert not answer.ends_turn
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    who = "host" if road == "module" else "ada"
    assert [each.getMessage() for each in caplog.records] == [
        f"{who}: Asleep until 2027-01-15T08:01:00Z. (not announced: not its turn)"
    ]


def test_a_sleep_that_asks_for_no_announcement_gets_none(roads: "Roads") -> None:
    roads.turn("ada", "sleep", seconds=60, announce=False)
    roads.turn("ada", "agent_settings", action="update", announce_sleep=False)
    roads.turn("ada", "sleep", seconds=60)
    registry = roads.world.channel_registry
    assert registry is not None
    assert registry.get("lobby").recent(9) == []
    roads.turn("ada", "sleep", seconds=60, announce=True)
    assert len(registry.get("lobby").recent(9)) == 1


def test_an_operators_act_is_stored_as_a_pair_and_a_refusal_is_not(
    roads: "Roads",
) -> None:
    roads.puppet("ada", "toolsets--act", tool="skip_reply")
    roads.puppet(
        "ada", "toolsets--act", tool="toolsets--act", input={"tool": "skip_reply"}
    )
    roads.puppet("ada", "nothing")
    assert roads.stored("ada") == []
    words = (
        "files--delete is in [archive], which isn't open: toolsets--open "
        '{toolset:"archive"} opens it. Nothing was sent.'
    )
    given = {"tool": "files--delete", "input": {"path": "hello.txt"}}
    answer = roads.puppet("ada", "toolsets--act", **given)
    assert error(answer)["message"] == words
    use, result = roads.stored("ada")
    assert use == {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "id": "id-of-toolsets--act",
                "name": "toolsets--act",
                "input": given,
            }
        ],
    }
    (block,) = result["content"]
    assert result["role"] == "user"
    assert (block["tool_use_id"], block["is_error"]) == ("id-of-toolsets--act", True)
    assert words.replace('"', '\\"') in block["content"]
    assert not roads.host(None, "files--read", path="hello.txt").is_error


def test_an_open_toolset_lets_its_tools_be_acted_with(roads: "Roads") -> None:
    roads.turn("ada", "toolsets--open", toolset="archive")
    given = {"tool": "files--delete", "input": {"path": "hello.txt"}}
    answer = roads.turn("ada", "toolsets--act", **given)
    assert answer.content == {"path": "hello.txt", "deleted": True}
    assert error(roads.turn("fay", "toolsets--act", **given))["message"].startswith(
        "files--delete is in [archive], which isn't open"
    )


def test_a_tool_of_two_toolsets_is_there_once_either_is_open(
    store: "Store", clock: "Hands"
) -> None:
    both = (Toolset("one", ("a--b",)), Toolset("two", ("a--b",)))
    toolsets = Toolsets(store, clock, both)
    act = ToolCall("1", "toolsets--act", {"tool": "a--b"})
    assert toolsets.inner(act, "ada") is None
    assert toolsets.hidden("ada") == {"a--b"}
    toolsets.tool(ToolCall("1", "toolsets--open", {"toolset": "one"}), "ada")
    assert toolsets.inner(act, "ada") == ToolCall("1", "a--b", {})
    assert toolsets.hidden("ada") == frozenset()
