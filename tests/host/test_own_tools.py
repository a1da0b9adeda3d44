"""What an agent keeps to itself, by what it changes, and the words of what it won't."""

from typing import TYPE_CHECKING, Any

import pytest

from .told import registry, words

if TYPE_CHECKING:
    from .conftest import Roads


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
