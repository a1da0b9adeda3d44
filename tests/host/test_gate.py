"""Who wakes for what: sleep, rules and deadlines, kept over a restart."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from toolroute_host._rules import read
from toolroute_host.events import Event, Verdict
from toolroute_host.gate import MOST_RULES, Due, EventGate
from toolroute_host.store import Store

from .gating import ALWAYS, DEFER, HELLO

if TYPE_CHECKING:
    from .conftest import Hands


@pytest.fixture
def gate(store: Store, clock: "Hands") -> EventGate:
    return EventGate(store, clock)


def wakes(gate: EventGate, event: Event = HELLO, agent: str = "ada") -> bool:
    return gate.judge(event, agent).wakes


def test_without_sleep_or_rules_an_event_wakes(gate: EventGate) -> None:
    assert gate.judge(HELLO, "ada") == Verdict(wakes=True, why="no rule says otherwise")


def test_a_sleeper_wakes_at_its_deadline_and_not_before(
    gate: EventGate, clock: "Hands"
) -> None:
    assert gate.sleep("ada", 60) == clock.at + 60
    assert gate.judge(HELLO, "ada") == Verdict(
        wakes=False, why="ada sleeps until 2027-01-15T08:01:00Z"
    )
    assert wakes(gate, agent="bea")
    clock.pass_(59.9)
    assert not wakes(gate)
    clock.pass_(0.1)
    assert wakes(gate)
    assert gate.held("ada") == 2


def test_wake_ends_a_sleep_and_says_whether_there_was_one(gate: EventGate) -> None:
    gate.sleep("ada", 60)
    assert gate.wake("ada") is True
    assert wakes(gate)
    assert gate.wake("ada") is False


def test_the_hosts_own_sleep_holds_everybody(gate: EventGate) -> None:
    gate.sleep("", 60)
    assert gate.judge(HELLO, "ada").why == "the host sleeps until 2027-01-15T08:01:00Z"
    assert not wakes(gate, agent="bea")


def test_the_first_rule_that_matches_decides(gate: EventGate) -> None:
    gate.add_rule("ada", read("quiet", {"match": {"channel": "lob*"}, **DEFER}))
    gate.add_rule("ada", read("late", ALWAYS))
    assert gate.judge(HELLO, "ada") == Verdict(wakes=False, why="the rule 'quiet'")
    gate.add_rule("ada", read("early", ALWAYS), first=True)
    assert gate.judge(HELLO, "ada") == Verdict(wakes=True, why="the rule 'early'")
    assert [rule.name for rule in gate.rules("ada")] == ["early", "quiet", "late"]


def test_an_agents_rules_come_before_the_hosts_and_are_its_own(
    gate: EventGate,
) -> None:
    gate.add_rule("", read("all quiet", DEFER))
    gate.add_rule("ada", read("mine", ALWAYS))
    assert wakes(gate, agent="ada")
    assert not wakes(gate, agent="bea")
    assert gate.remove_rule("ada", "all quiet") is False
    assert not wakes(gate, agent="bea")


def test_a_rule_of_the_same_name_takes_the_place_of_the_first(gate: EventGate) -> None:
    gate.add_rule("ada", read("one", ALWAYS))
    gate.add_rule("ada", read("two", ALWAYS))
    assert gate.add_rule("ada", read("one", DEFER)) is True
    assert [rule.name for rule in gate.rules("ada")] == ["one", "two"]
    assert not wakes(gate)


def test_a_removed_rule_is_gone(gate: EventGate) -> None:
    gate.add_rule("ada", read("quiet", DEFER))
    assert gate.remove_rule("ada", "quiet") is True
    assert gate.remove_rule("ada", "quiet") is False
    assert wakes(gate)


def test_a_burst_wakes_once_when_it_is_over(gate: EventGate, clock: "Hands") -> None:
    gate.add_rule("ada", read("burst", {"debounceMs": 5_000}))
    assert not wakes(gate)
    clock.pass_(4)
    assert not wakes(gate)
    clock.pass_(4)
    assert list(gate.due()) == []
    clock.pass_(1)
    assert list(gate.due()) == [Due("ada", "debounce:burst", None)]
    assert list(gate.due()) == []


def test_a_rate_limit_lets_so_many_wake_and_one_more_each_interval(
    gate: EventGate, clock: "Hands"
) -> None:
    gate.add_rule(
        "ada", read("few", {"rateLimit": {"tokens": 2, "refillIntervalMs": 1000}})
    )
    assert [wakes(gate) for _ in range(3)] == [True, True, False]
    clock.pass_(1)
    assert [wakes(gate) for _ in range(2)] == [True, False]
    clock.pass_(3600)
    assert [wakes(gate) for _ in range(3)] == [True, True, False]


def test_every_so_many_th_event_wakes(gate: EventGate) -> None:
    gate.add_rule("ada", read("some", {"passiveSample": {"every": 3}}))
    assert [wakes(gate) for _ in range(7)] == [
        *(False, False, True),
        *(False, False, True),
        False,
    ]


def test_sleep_rules_and_deadlines_hold_over_a_restart(
    reopened: Callable[[], Store], clock: "Hands"
) -> None:
    gate = EventGate(reopened(), clock)
    gate.sleep("ada", 60)
    gate.set_deadline("ada", "self_wake", 90, "look again")
    gate.add_rule("ada", read("quiet", {"match": {"channel": "lobby"}, **DEFER}))
    clock.pass_(30)
    gate = EventGate(reopened(), clock)
    assert gate.asleep_until("ada") == clock.at + 30
    assert gate.rules("ada") == [
        read("quiet", {"match": {"channel": "lobby"}, **DEFER})
    ]
    clock.pass_(3600)
    gate = EventGate(reopened(), clock)
    assert gate.asleep_until("ada") is None
    assert list(gate.due()) == [
        Due("ada", "sleep", None),
        Due("ada", "self_wake", "look again"),
    ]


def test_a_deadline_that_was_not_seen_to_is_given_again_after_a_restart(
    reopened: Callable[[], Store], clock: "Hands"
) -> None:
    gate = EventGate(reopened(), clock)
    gate.set_deadline("ada", "self_wake", 60, "look again")
    gate.set_deadline("ada", "heartbeat", 60, "60.0")
    clock.pass_(60)
    beat, wake = Due("ada", "heartbeat", "60.0"), Due("ada", "self_wake", "look again")
    assert next(gate.due()) == beat
    gate = EventGate(reopened(), clock)
    due = gate.due()
    assert [next(due), next(due)] == [beat, wake]
    assert gate.deadline("ada", "heartbeat") == clock.at + 60
    gate = EventGate(reopened(), clock)
    assert list(gate.due()) == [wake]


def test_a_deadline_that_is_set_again_while_it_is_in_hand_stays(
    gate: EventGate, clock: "Hands"
) -> None:
    gate.set_deadline("ada", "self_wake", 60)
    clock.pass_(60)
    for due in gate.due():
        gate.set_deadline(due.owner, due.purpose, 30)
    assert gate.deadline("ada", "self_wake") == clock.at + 30


def test_a_clock_that_was_set_forward_or_back_moves_no_deadline(
    gate: EventGate, clock: "Hands"
) -> None:
    until = gate.sleep("ada", 60)
    gate.add_rule(
        "ada", read("few", {"rateLimit": {"tokens": 1, "refillIntervalMs": 1000}})
    )
    clock.pass_(-3600)
    assert gate.asleep_until("ada") == until
    assert list(gate.due()) == []
    clock.pass_(3660)
    assert list(gate.due()) == [Due("ada", "sleep", None)]
    assert [wakes(gate), wakes(gate)] == [True, False]
    clock.pass_(-3600)
    assert wakes(gate) is False
    clock.pass_(1)
    assert wakes(gate) is True


def test_a_hosts_rule_that_is_removed_wakes_nobody_that_it_held(
    gate: EventGate, clock: "Hands"
) -> None:
    gate.add_rule("", read("burst", {"debounceMs": 5_000}))
    assert not wakes(gate)
    gate.add_rule("ada", read("burst", {"debounceMs": 9_000}))
    assert not wakes(gate)
    assert gate.remove_rule("", "burst") is True
    clock.pass_(60)
    assert list(gate.due()) == [Due("ada", "debounce:burst", None)]


def test_as_many_rules_as_there_can_be_are_tried_in_no_time(gate: EventGate) -> None:
    worst = ["*?a" * 66] * 12
    match = {"scope": [*worst, "*"], "source": [*worst, "*"], "tagsNone": worst}
    for number in range(MOST_RULES):
        gate.add_rule("ada", read(f"r{number}", {"match": match, **DEFER}))
    event = Event("a" * 60 + "b", "a" * 60 + "b", tags=frozenset({"a" * 60}))
    before = time.process_time()
    gate.judge(event, "ada")
    assert time.process_time() - before < 5


def test_the_next_deadline_is_the_first_of_all(gate: EventGate, clock: "Hands") -> None:
    assert gate.next_deadline() is None
    gate.sleep("ada", 60)
    gate.sleep("bea", 30)
    assert gate.next_deadline() == clock.at + 30
    assert gate.deadlines("ada") == {"sleep": "2027-01-15T08:01:00Z"}


def test_declared_tags_stand_beside_the_chats(gate: EventGate) -> None:
    gate.declare_tags({"robot:bump": "it bumped into something"})
    assert gate.tags()["robot:bump"] == "it bumped into something"
    assert "chat:ambient" in gate.tags()
