"""Channels and drafts, by what they change, and the words of what they won't."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute_host import drafts
from toolroute_host._channel_kinds import FileChannel, LocalChannel
from toolroute_host.channels import ChannelRegistry, Message, UnknownChannel
from toolroute_host.store import Store

from .told import AT, registry, words

if TYPE_CHECKING:
    from .conftest import Hands, Roads


def test_channels_are_opened_read_published_to_and_closed(roads: "Roads") -> None:
    roads.turn("bea", "think")
    sent = roads.turn("ada", "channel_publish", channelId="lobby", content="hello")
    assert sent.content == {"channelId": "lobby", "sent": True, "at": AT}
    opened = roads.turn("ada", "channel_open", channelId="lobby", backscroll=5)
    assert opened.content == {
        "channelId": "lobby",
        "open": True,
        "recent": [{"author": "ada", "content": "hello", "at": AT}],
    }
    roads.turn("ada", "channel_decline", channelId="log")
    assert roads.turn("ada", "channel_list").content == {
        "channels": [
            {"channelId": "lobby", "title": "lobby", "state": "open"},
            {"channelId": "fay-room", "title": "fay-room", "state": "closed"},
            {"channelId": "log", "title": "appended to a file", "state": "declined"},
        ]
    }
    closed = roads.turn("ada", "channel_close", channelId="lobby")
    assert closed.content == {"channelId": "lobby", "closed": True}
    again = roads.turn("ada", "channel_close", channelId="lobby")
    assert again.content == {"channelId": "lobby", "closed": False}
    roads.turn("ada", "agent_settings", action="update", backscroll=1)
    opened = roads.turn("ada", "channel_open", channelId="lobby")
    assert len(opened.content["recent"]) == 1


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("channel_dance", {}, "Unknown channel tool: channel_dance"),
        ("channel_open", {}, "channel_open: `channelId` (string) is required"),
        (
            "channel_open",
            {"channelId": 7},
            "channel_open: `channelId` (string) is required",
        ),
        (
            "channel_close",
            {"channelId": "attic\n"},
            (
                "channel_close: there is no channel attic\\n, so nothing was done. "
                "channel_list shows those there are."
            ),
        ),
        (
            "channel_open",
            {"channelId": "lobby", "backscroll": 501},
            "channel_open: `backscroll` must be a whole number from 0 to 500",
        ),
        (
            "channel_publish",
            {"channelId": "lobby"},
            "channel_publish: `content` (string) is required",
        ),
        (
            "channel_publish",
            {"channelId": "lobby", "content": "x" * 100_001},
            "channel_publish: `content` can hold at most 100,000 characters",
        ),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_cannot_be_done_on_a_channel_is_told(
    roads: "Roads", name: str, given: dict[str, Any], expected: str
) -> None:
    assert words(roads.turn("ada", name, **given)) == expected
    assert registry(roads).get("lobby").recent(9) == []


def test_channels_states_and_messages_are_kept_over_a_restart(
    reopened: Callable[[], Store], clock: "Hands"
) -> None:
    store = reopened()
    kept = ChannelRegistry(store, clock, [LocalChannel(store, "lobby")])
    kept.set_state("ada", "lobby", "open")
    kept.publish("lobby", "ada", "hello")
    store = reopened()
    kept = ChannelRegistry(store, clock, [LocalChannel(store, "lobby")])
    assert kept.states("ada") == {"lobby": "open"}
    assert kept.get("lobby").recent(9) == [Message("ada", "hello", clock.at)]
    with pytest.raises(UnknownChannel):
        kept.set_state("ada", "attic", "open")


def test_a_publish_that_fails_is_not_said_to_be_sent(roads: "Roads") -> None:
    registry(roads).add(FileChannel(Path("/proc/nothing/log"), "broken"))
    answer = roads.turn("ada", "channel_publish", channelId="broken", content="x")
    assert answer.is_error
    assert answer.content["error"]["code"] == "TOOL_FAILED"


def test_a_draft_is_saved_listed_sent_and_gone(roads: "Roads") -> None:
    saved = roads.turn("ada", "drafts", action="save", content="hi", channelId="lobby")
    assert saved.content == {"draft": 1, "saved": True}
    listed = roads.turn("ada", "drafts", action="list")
    assert listed.content == {
        "drafts": [{"draft": 1, "channelId": "lobby", "content": "hi", "at": AT}]
    }
    assert roads.turn("bea", "think").is_error is False
    assert words(roads.turn("fay", "drafts", action="send", draft=1)).startswith(
        "drafts: `draft` must be the number of a draft"
    )
    sent = roads.turn("ada", "drafts", action="send", draft=1)
    assert sent.content == {"draft": 1, "channelId": "lobby", "sent": True, "at": AT}
    assert [each.content for each in registry(roads).get("lobby").recent(9)] == ["hi"]
    assert roads.turn("ada", "drafts", action="list").content == {"drafts": []}
    again = roads.turn("ada", "drafts", action="save", content="hi")
    assert again.content == {"draft": 2, "saved": True}
    gone = roads.turn("ada", "drafts", action="discard", draft=2)
    assert gone.content == {"draft": 2, "discarded": True}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, '`action` must be "list", "save", "send", or "discard"'),
        ({"action": "save"}, "`content` (string) is required"),
        (
            {"action": "save", "content": "x", "channelId": 7},
            "`channelId` must be a string",
        ),
        (
            {"action": "send", "draft": 9},
            "`draft` must be the number of a draft: `list` shows them",
        ),
        (
            {"action": "send", "draft": 10**30},
            "`draft` must be the number of a draft: `list` shows them",
        ),
        (
            {"action": "send", "draft": 1},
            "`channelId` (string) is required: the draft names none",
        ),
        (
            {"action": "send", "draft": 1, "channelId": "attic"},
            "`channelId` names no channel; the draft is kept",
        ),
    ],
    ids=str,
)
def test_what_is_no_draft_is_told_and_the_draft_is_kept(
    roads: "Roads", given: dict[str, Any], expected: str
) -> None:
    roads.turn("ada", "drafts", action="save", content="kept")
    assert words(roads.turn("ada", "drafts", **given)) == f"drafts: {expected}"
    assert len(roads.world.drafts.all("ada")) == 1


def test_there_are_only_so_many_drafts(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MOST", 1)
    roads.turn("ada", "drafts", action="save", content="one")
    assert words(roads.turn("ada", "drafts", action="save", content="two")) == (
        "drafts: there are 1 drafts already, which is the most. Send or discard one "
        "first."
    )
