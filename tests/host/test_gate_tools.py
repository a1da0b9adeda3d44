"""The event gate's tools, by what they change, and the words of what they won't."""

from typing import TYPE_CHECKING, Any

import pytest

from toolroute_host import gate

from .told import words

if TYPE_CHECKING:
    from .conftest import Roads


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
