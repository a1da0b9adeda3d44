"""Each handler by what it changes, and the words of what it won't."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer
from toolroute_host import drafts, gate
from toolroute_host._channel_kinds import FileChannel, LocalChannel
from toolroute_host.agents import Agent
from toolroute_host.attention import FocusedChannels, MutedChannels
from toolroute_host.channels import ChannelRegistry, Message, UnknownChannel
from toolroute_host.drafts import Drafts
from toolroute_host.notes import Notes
from toolroute_host.settings import Settings
from toolroute_host.store import Store
from toolroute_host.toolsets import Toolset, Toolsets

if TYPE_CHECKING:
    from .conftest import Hands, Roads

AT = "2027-01-15T08:00:00Z"


def words(answer: Answer) -> str:
    assert answer.is_error, answer.content
    message: str = answer.content["error"]["message"]
    return message


def registry(roads: "Roads") -> ChannelRegistry:
    assert roads.world.channel_registry is not None
    return roads.world.channel_registry


# agent_settings


def test_settings_are_read_set_and_set_back(roads: "Roads") -> None:
    default = {"announce_sleep": True, "backscroll": 0, "window_messages": 200}
    got = roads.turn("ada", "agent_settings", action="get")
    assert got.content == {"settings": default}
    set_ = roads.turn(
        "ada", "agent_settings", action="update", backscroll=5.0, announce_sleep=False
    )
    changed = {"announce_sleep": False, "backscroll": 5, "window_messages": 200}
    assert set_.content == {"settings": changed}
    assert roads.world.settings.all("bea") == default
    assert roads.turn("ada", "agent_settings", action="reset").content == {
        "settings": default
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, '`action` must be "get", "update", or "reset"'),
        ({"action": ["get"]}, '`action` must be "get", "update", or "reset"'),
        (
            {"action": "update", "backscrol": 1},
            "`backscrol` isn't a setting. There is backscroll.",
        ),
        (
            {"action": "update", "x" * 300: 1},
            (
                f"`{'x' * 200}…` isn't a setting. There is announce_sleep, backscroll, "
                "window_messages."
            ),
        ),
        (
            {"action": "update", "backscroll": 501},
            "`backscroll` must be a whole number from 0 to 500",
        ),
        (
            {"action": "update", "backscroll": True},
            "`backscroll` must be a whole number from 0 to 500",
        ),
        (
            {"action": "update", "announce_sleep": 1},
            "`announce_sleep` must be true or false",
        ),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_setting_changes_none(
    roads: "Roads", given: dict[str, Any], expected: str
) -> None:
    mixed = {**given, "window_messages": 9} if "action" in given else given
    assert words(roads.turn("ada", "agent_settings", **mixed)) == (
        f"agent_settings: {expected}"
    )
    assert roads.world.settings.all("ada")["window_messages"] == 200


def test_an_update_of_nothing_says_what_there_is(roads: "Roads") -> None:
    assert words(roads.turn("ada", "agent_settings", action="update")) == (
        "agent_settings: nothing to update. Name a setting and its new value: "
        "announce_sleep, backscroll, window_messages."
    )


# think, journal, skip_reply, prose_help


def test_a_thought_and_an_entry_are_kept_and_said_to_be_private(
    roads: "Roads",
) -> None:
    assert roads.turn("ada", "think", content="hm").content == {
        "noted": True,
        "note": "Noted. It stays private: nothing was sent anywhere.",
    }
    assert roads.turn("ada", "think").content["noted"] is True
    entry = roads.turn("ada", "journal", content="dear diary")
    assert entry.content == {
        "entry": 3,
        "note": "Entered in the journal. It stays private: nothing was sent anywhere.",
    }
    assert roads.world.notes.read("ada", "think") == ["hm", ""]
    assert roads.world.notes.read("ada", "journal") == ["dear diary"]
    assert registry(roads).get("lobby").recent(9) == []


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("journal", {}, "journal: `content` (string) is required"),
        ("journal", {"content": ""}, "journal: `content` (string) is required"),
        ("journal", {"content": 7}, "journal: `content` must be a string"),
        (
            "think",
            {"content": "x" * 1_000_001},
            "think: `content` can hold at most 1,000,000 characters",
        ),
        (
            "skip_reply",
            {"wake_in_seconds": -1},
            "skip_reply: `wake_in_seconds` must be a positive number",
        ),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_note_is_not_kept(
    roads: "Roads", name: str, given: dict[str, Any], expected: str
) -> None:
    answer = roads.turn("ada", name, **given)
    assert words(answer) == expected
    assert not answer.ends_turn
    assert roads.world.notes.read("ada", name) == []


def test_skip_reply_ends_the_turn_and_may_set_a_wake(roads: "Roads") -> None:
    answer = roads.turn("ada", "skip_reply", wake_in_seconds=30)
    assert answer.ends_turn
    assert roads.world.event_gate is not None
    assert roads.world.event_gate.deadlines("ada") == {
        "self_wake": "2027-01-15T08:00:30Z"
    }
    roads.world.event_gate = None
    assert words(roads.turn("ada", "skip_reply", wake_in_seconds=30)) == (
        "wake_in_seconds: this host has no event gate, so nothing was done."
    )


def test_the_reference_of_prose_is_the_same_for_all(roads: "Roads") -> None:
    assert roads.host(None, "prose_help").content.startswith(
        "How plain text is routed\n"
    )


# sleep, wake, rules


@pytest.mark.parametrize(
    "seconds",
    [None, 0, -1, True, "60", float("nan"), float("inf"), [], 10**400],
    ids=lambda each: str(each)[:10],
)
def test_a_sleep_takes_a_positive_number(roads: "Roads", seconds: object) -> None:
    answer = roads.turn("ada", "sleep", seconds=seconds)
    assert words(answer) == "sleep: `seconds` must be a positive number"
    assert not answer.ends_turn
    assert roads.world.event_gate is not None
    assert roads.world.event_gate.asleep_until("ada") is None


def test_a_sleep_is_at_most_a_year(roads: "Roads") -> None:
    assert words(roads.turn("ada", "sleep", seconds=1e9)) == (
        "sleep: `seconds` can be at most 31622400 (a year)"
    )


def test_gate_status_shows_what_holds(roads: "Roads") -> None:
    roads.turn("ada", "sleep", seconds=60)
    roads.host(None, "wake_add_rule", name="all", behavior="always")
    rule = {"match": {"channel": "log"}, "behavior": "defer"}
    added = roads.turn("ada", "wake_add_rule", name="quiet", **rule)
    assert added.content == {"rule": {"name": "quiet", **rule}, "replaced": False}
    assert roads.turn("ada", "gate_status").content == {
        "asleep_until": "2027-01-15T08:01:00Z",
        "host_asleep_until": None,
        "deadlines": {"sleep": "2027-01-15T08:01:00Z"},
        "rules": [{"name": "quiet", **rule}],
        "host_rules": [{"name": "all", "behavior": "always"}],
        "otherwise": "always",
        "held": 0,
    }
    assert roads.turn("ada", "wake").content == {"awake": True, "was_asleep": True}
    removed = roads.turn("ada", "wake_remove_rule", name="quiet")
    assert removed.content == {"removed": True}
    assert roads.turn("ada", "wake_remove_rule", name="quiet").content == {
        "removed": False
    }


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("wake_remove_rule", {}, "wake_remove_rule: `name` (string) is required"),
        (
            "wake_remove_rule",
            {"name": 3},
            "wake_remove_rule: `name` (string) is required",
        ),
        (
            "wake_add_rule",
            {"behavior": "defer"},
            "wake_add_rule: `name` (string) is required",
        ),
        (
            "wake_add_rule",
            {"name": "x" * 201, "behavior": "defer"},
            "wake_add_rule: `name` can hold at most 200 characters",
        ),
        (
            "wake_add_rule",
            {"name": "r", "behavior": "defer", "position": "top"},
            'wake_add_rule: `position` must be "append", or "prepend"',
        ),
        (
            "wake_add_rule",
            {"name": "r", "behavior": "defer", "channel": "lobby"},
            (
                "wake_add_rule: `channel` isn't known here. There is name, position, "
                "match, behavior, debounceMs, rateLimit, passiveSample."
            ),
        ),
        (
            "wake_add_rule",
            {"name": "r", "behavior": "maybe"},
            'wake_add_rule: `behavior` must be "always", or "defer"',
        ),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_rule_is_not_added(
    roads: "Roads", name: str, given: dict[str, Any], expected: str
) -> None:
    assert words(roads.turn("ada", name, **given)) == expected
    assert roads.turn("ada", "gate_status").content["rules"] == []


def test_there_are_only_so_many_rules(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolroute_host._gate_tools.MOST_RULES", 1)
    roads.turn("ada", "wake_add_rule", name="one", behavior="defer")
    assert not roads.turn(
        "ada", "wake_add_rule", name="one", behavior="always"
    ).is_error
    assert words(roads.turn("ada", "wake_add_rule", name="two", behavior="defer")) == (
        "wake_add_rule: there are 1 rules already, which is the most. Remove one with "
        "wake_remove_rule first."
    )
    assert gate.MOST_RULES == 200


def test_event_tags_name_what_a_rule_can(roads: "Roads") -> None:
    assert "chat:ambient" in roads.turn("ada", "event_tags").content["tags"]


# channels


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


# drafts


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


# utils, tune_out, focus, heartbeat


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


# toolsets


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


# what is kept over a restart


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


# files


def test_files_are_written_listed_read_and_deleted(roads: "Roads") -> None:
    wrote = roads.turn("ada", "files--write", path="d/a.txt", content="é")
    assert wrote.content == {"path": "d/a.txt", "bytes": 2, "replaced": False}
    assert roads.turn("ada", "files--list", path="d").content == {
        "path": "d",
        "entries": [{"name": "a.txt", "kind": "file", "bytes": 2}],
        "complete": True,
    }
    read = roads.turn("ada", "files--read", path="d/a.txt")
    assert read.content == {"path": "d/a.txt", "content": "é"}
    gone = roads.turn("ada", "files--delete", path="d/a.txt")
    assert gone.content == {"path": "d/a.txt", "deleted": True}
    assert words(roads.turn("ada", "files--read", path="d/a.txt")) == (
        "files--read: d/a.txt isn't there."
    )


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (
            "files--dance",
            {},
            "files has no tool named dance. It has list, read, write, delete.",
        ),
        ("files--read", {}, "files--read: `path` (string) is required"),
        (
            "files--read",
            {"path": "../secret"},
            "files--read: ../secret must be plain names with `/` between them.",
        ),
        ("files--write", {"path": "a"}, "files--write: `content` (string) is required"),
        (
            "files--write",
            {"path": "a", "content": "\ud800"},
            "files--write: `content` holds half a character, which can't be kept",
        ),
        (
            "files--read",
            {"path": "bytes"},
            (
                "files--read: bytes isn't text in UTF-8 (byte 2), so it can't be read "
                "here."
            ),
        ),
        ("nobody--home", {}, "Module not found: nobody"),
        ("files--", {}, "Invalid tool name format: files--, so nothing was done"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_file_is_told(
    roads: "Roads", tmp_path: Path, name: str, given: dict[str, Any], expected: str
) -> None:
    (tmp_path / "host/shared/bytes").write_bytes(b"ok\xff")
    assert words(roads.turn("ada", name, **given)) == expected


@pytest.mark.parametrize("name", ["", "a--b", "files"])
def test_a_module_cannot_have_every_name(roads: "Roads", name: str) -> None:
    class Named:
        def __init__(self) -> None:
            self.name = name

        def tools(self) -> tuple[str, ...]:
            return ()

        def call(self, *_: object) -> Any:
            raise AssertionError

    with pytest.raises(ValueError, match=r"module"):
        roads.world.modules.add(Named())


def test_agents_are_what_they_can_be(roads: "Roads") -> None:
    with pytest.raises(ValueError, match="there is an agent named 'ada' already"):
        roads.world.agents.add(Agent("ada"))
    with pytest.raises(ValueError, match="an agent has a name"):
        Agent("")
    with pytest.raises(ValueError, match="it isn't a fork"):
        Agent("zoe", primary=True, home="lobby")
    roads.world.agents.add(Agent("zoe"))
    roads.world.agents.remove("zoe")
    assert roads.world.agents.get("zoe") is None
