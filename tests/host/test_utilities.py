"""Utilities, attention, heartbeats and toolsets, by what they change."""

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall
from toolroute_host.attention import FocusedChannels, MutedChannels
from toolroute_host.channels import ChannelRegistry
from toolroute_host.drafts import Drafts
from toolroute_host.notes import Notes
from toolroute_host.settings import Settings
from toolroute_host.store import Store
from toolroute_host.toolsets import Toolset, Toolsets

from .told import AT, words

if TYPE_CHECKING:
    from .conftest import Hands, Roads


def test_utilities_are_listed_described_and_run(roads: "Roads") -> None:
    listed = roads.turn("ada", "utils", action="list").content["utilities"]
    assert sorted(listed) == ["count", "sha256", "time", "uuid"]
    assert roads.turn("ada", "utils", action="describe", name="sha256").content == {
        "name": "sha256",
        "doc": "the SHA-256 of a text's UTF-8 bytes, in hexadecimal",
        "args": {"text": "the text"},
    }

    def ran(name: str, **args: str) -> Any:
        given = {"action": "run", "name": name, "args": args}
        return roads.turn("ada", "utils", **given).content["result"]

    assert ran("sha256", text="é") == hashlib.sha256("é".encode()).hexdigest()
    assert ran("count", text="two words\nline") == {
        "characters": 14,
        "words": 3,
        "lines": 2,
    }
    assert ran("time") == AT
    assert len({ran("uuid"), ran("uuid")}) == 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 'action must be "list", "describe", or "run"'),
        (
            {"action": "run", "name": "dance"},
            "utils: there is no utility dance. There is time, uuid, sha256, count.",
        ),
        (
            {"action": "run", "name": ["sha256"]},
            "utils: there is no utility that name. There is time, uuid, sha256, count.",
        ),
        (
            {"action": "run", "name": "sha256"},
            (
                "utils: sha256 takes `args` with text: strings of at most 1,000,000 "
                "characters"
            ),
        ),
        (
            {"action": "run", "name": "sha256", "args": {"text": 7}},
            (
                "utils: sha256 takes `args` with text: strings of at most 1,000,000 "
                "characters"
            ),
        ),
        (
            {"action": "run", "name": "time", "args": []},
            (
                "utils: time takes `args` with nothing in it: strings of at most "
                "1,000,000 characters"
            ),
        ),
    ],
    ids=str,
)
def test_what_is_no_utility_is_told(
    roads: "Roads", given: dict[str, Any], expected: str
) -> None:
    assert words(roads.turn("ada", "utils", **given)) == expected


def test_a_heartbeat_is_set_shown_and_taken_off(roads: "Roads") -> None:
    nothing = {"every_seconds": None, "next": None}
    assert roads.turn("ada", "heartbeat_status").content == nothing
    beats = {"every_seconds": 60.0, "next": "2027-01-15T08:01:00Z"}
    assert roads.turn("ada", "heartbeat_set", every_seconds=60).content == beats
    assert roads.turn("ada", "heartbeat_status").content == beats
    assert roads.turn("fay", "heartbeat_status").content == nothing
    for wrong in (0.5, 0, -1, "60", True, float("nan"), 1e12):
        assert words(roads.turn("ada", "heartbeat_set", every_seconds=wrong)) == (
            "heartbeat_set: `every_seconds` must be a number from 1 to 31622400, or "
            "null for none"
        )
    assert roads.turn("ada", "heartbeat_set", every_seconds=None).content == nothing


def test_focus_and_tune_out_are_shown_as_they_are(roads: "Roads") -> None:
    given = {"action": "add", "channelId": "log", "seconds": 60}
    muted = roads.turn("ada", "tune_out", **given)
    assert muted.content == {"tuned_out": {"log": "2027-01-15T08:01:00Z"}}
    assert roads.turn("ada", "tune_out", action="add", channelId="lobby").content == {
        "tuned_out": {"lobby": None, "log": "2027-01-15T08:01:00Z"}
    }
    on = roads.turn("ada", "focus", action="on", channelId="log")
    assert on.content == {"focus": {"log": None}}
    moved = roads.turn("ada", "focus", action="on", channelId="lobby")
    assert moved.content == {"focus": {"lobby": None}}
    assert words(roads.turn("ada", "focus", action="on")) == (
        "focus: `channelId` (string) is required"
    )
    assert roads.turn("ada", "focus", action="status").content == moved.content
    assert words(roads.turn("ada", "tune_out")) == (
        'tune_out: `action` must be "add", "remove", or "list"'
    )
    assert words(roads.turn("fay", "focus", action="on", channelId="lobby")) == (
        "focus is available to the primary resident only"
    )


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("toolsets--open", {}, "toolsets--open: `toolset` (string) is required"),
        (
            "toolsets--open",
            {"toolset": "attic"},
            "toolsets--open: `toolset` names no toolset. There is: archive.",
        ),
        ("toolsets--act", {}, "toolsets--act: `tool` (string) is required"),
        ("toolsets--act", {"tool": 7}, "toolsets--act: `tool` must be a string"),
        (
            "toolsets--act",
            {"tool": "think", "input": []},
            "toolsets--act: `input` must be an object",
        ),
    ],
    ids=str,
)
def test_what_opens_or_carries_nothing_is_told(
    roads: "Roads", name: str, given: dict[str, Any], expected: str
) -> None:
    assert words(roads.turn("ada", name, **given)) == expected


def test_a_carried_call_is_decided_in_its_own_words(roads: "Roads") -> None:
    carried = roads.turn(
        "ada", "toolsets--act", tool="files--read", input={"path": "hello.txt"}
    )
    assert carried.content["content"] == "Hello from the shared folder.\n"
    assert words(roads.turn("ada", "toolsets--act", tool="nothing")) == (
        "Invalid tool name format: nothing, so nothing was done"
    )


def test_what_agents_keep_is_there_after_a_restart(
    reopened: Callable[[], Store], clock: "Hands"
) -> None:
    toolset = Toolset("archive", ("files--delete",))
    store = reopened()
    Notes(store, clock).write("ada", "journal", "dear diary")
    Settings(store, clock).update("ada", {"backscroll": 7})
    MutedChannels(store, clock).tool(
        ToolCall("", "tune_out", {"action": "add", "channelId": "log"}), "ada"
    )
    FocusedChannels(store, clock).tool(
        ToolCall("", "focus", {"action": "on", "channelId": "lobby"}), "ada"
    )
    Toolsets(store, clock, [toolset]).tool(
        ToolCall("", "toolsets--open", {"toolset": "archive"}), "ada"
    )
    Drafts(store, clock).tool(
        ToolCall("", "drafts", {"action": "save", "content": "hi"}),
        "ada",
        ChannelRegistry(store, clock),
        None,
    )
    store = reopened()
    assert Notes(store, clock).read("ada", "journal") == ["dear diary"]
    assert Settings(store, clock).all("ada")["backscroll"] == 7
    assert MutedChannels(store, clock).channels("ada") == {"log": None}
    assert FocusedChannels(store, clock).channels("ada") == {"lobby": None}
    assert Toolsets(store, clock, [toolset]).open_to("ada") == {"archive"}
    assert [each["content"] for each in Drafts(store, clock).all("ada")] == ["hi"]
