"""Compares what killed hosts left behind with what their folder says later."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_busy import named

from toolroute.runtime import SqliteLedger, Wanted
from toolroute.transcript import check
from toolroute_host.assembly import Hosted

NOT_RUN = ("not_executed", "refused")
AGENTS = ("ada", "bea", "fay", "gil")


@dataclass
class Facts:
    """What traces say, by the ids of calls."""

    opened: dict[str, str] = field(default_factory=dict)
    handled: set[str] = field(default_factory=set)
    told: dict[str, str] = field(default_factory=dict)
    delivered: dict[str, str] = field(default_factory=dict)
    settled: dict[str, str] = field(default_factory=dict)
    rounds: list[list[str]] = field(default_factory=list)

    def read(self, path: Path) -> None:
        """Add the lines of one trace; a last one that was cut off isn't one."""
        text = path.read_text() if path.exists() else ""
        for line in text.split("\n")[:-1]:
            self.add(*json.loads(line))

    def add(self, mark: str, key: str, *rest: Any) -> None:
        """Add one fact; of a call, nothing is told twice."""
        if mark == "H":
            assert key not in self.handled, f"{key} ran twice"
            self.handled.add(key)
        elif mark == "B":
            self.rounds.append(rest[0])
        else:
            marks = {
                "O": self.opened,
                "A": self.told,
                "D": self.delivered,
                "R": self.settled,
            }
            assert key not in marks[mark], f"{key} has two of {mark}"
            (marks[mark][key],) = rest


@dataclass
class Kept:
    """What a host's folder says: its windows, its ledger, and what calls did."""

    windows: dict[str, list[Any]]
    uses: Counter[str]
    results: dict[str, tuple[str, bool]]
    ledger: dict[str, Any]
    written: set[str]
    notes: Counter[str]
    drafts: Counter[str]
    said: Counter[str]
    rules: set[str]


def kept(hosted: Hosted, folder: Path) -> Kept:
    """Read all of it."""
    world = hosted.world
    windows = {agent: world.windows.messages(agent) for agent in AGENTS}
    blocks = [
        block
        for window in windows.values()
        for message in window
        for block in message["content"]
    ]
    uses = Counter(each["id"] for each in blocks if each["type"] == "tool_use")
    results = [each for each in blocks if each["type"] == "tool_result"]
    ids = [each["tool_use_id"] for each in results]
    assert len(ids) == len(set(ids)), "a call has two results"
    with SqliteLedger(folder / "ledger.db") as ledger:
        entries = ledger.find(Wanted())
    found = {named(each.opened.call.id, each.opened.key): each for each in entries}
    assert len(entries) == len(found)
    texts = [*world.store.read("SELECT content FROM channel_messages")]
    registry, gate = world.channel_registry, world.event_gate
    assert registry is not None
    assert gate is not None
    texts += [(each.content,) for each in registry.get("log").recent(100_000)]
    return Kept(
        windows,
        uses,
        {
            each["tool_use_id"]: (each["content"], each.get("is_error", False))
            for each in results
        },
        found,
        {each.name.removesuffix(".txt") for each in (folder / "files").iterdir()},
        Counter(each for (each,) in world.store.read("SELECT content FROM notes")),
        Counter(each for (each,) in world.store.read("SELECT content FROM drafts")),
        Counter(each for (each,) in texts),
        {rule.name for agent in AGENTS for rule in gate.rules(agent)},
    )


def judge(now: Kept, facts: Facts, before: Kept | None) -> Counter[str]:
    """The windows are well formed and true; what kinds of answers were seen."""
    for agent, window in now.windows.items():
        assert check(window, "anthropic") == [], agent
        if before is not None:
            old = before.windows[agent]
            assert window[: len(old)] == old, "what was stored has changed"
    assert set(now.uses) == set(now.results)
    assert set(now.uses.values()) <= {1}, "a call is stored twice"
    assert facts.handled <= set(now.ledger), "a call that ran isn't on record"
    for round_ in facts.rounds:
        assert len({key in now.results for key in round_}) == 1, (
            "half a round is stored"
        )
    seen: Counter[str] = Counter()
    for key, entry in now.ledger.items():
        if key in facts.opened or key in facts.settled or key in facts.handled:
            _judge_call(key, entry, now, facts)
            seen[f"{entry.opened.road} {entry.kind}"] += 1
            seen["ran and unknown"] += (
                key in facts.handled and entry.kind == "outcome_unknown"
            )
    _judge_rules(now, facts)
    return seen


def _judge_call(key: str, entry: Any, now: Kept, facts: Facts) -> None:
    kind = entry.kind
    assert kind is not None, f"{key} has no answer"
    for said in (facts.told, facts.delivered, facts.settled):
        assert said.get(key, kind) == kind, (
            f"{key} was answered {said[key]}, not {kind}"
        )
    if kind in NOT_RUN:
        assert key not in facts.handled, f"{key} ran, and is said not to have"
    if kind == "outcome_unknown":
        assert entry.started, f"{key} was seen not to start, and nobody is told"
    _judge_stored(key, entry, now, facts)
    _judge_done(key, entry, now)


def _judge_stored(key: str, entry: Any, now: Kept, facts: Facts) -> None:
    road = entry.opened.road
    if road == "turn" or (
        road == "puppet" and facts.delivered.get(key) in {"returned", "failed"}
    ):
        assert key in now.results, f"{key} was made in {road}, and isn't stored"
    elif road != "puppet":
        assert key not in now.results
    if key in now.results:
        content, is_error = now.results[key]
        answer = entry.answer
        text = answer.content if isinstance(answer.content, str) else answer.json
        assert (content, is_error) == (text, answer.is_error)


def _judge_done(key: str, entry: Any, now: Kept) -> None:
    """What a call did is there once if it says so, and never if it says it didn't."""
    call = entry.opened.call
    match call.name:
        case "journal":
            done = now.notes[key]
        case "drafts":
            done = now.drafts[key]
        case "channel_publish":
            done = now.said[key]
        case "files--write":
            done = int(call.input["path"].removesuffix(".txt") in now.written)
        case "code_execution":
            done = int(f"by-script-{key}" in now.written)
        case _:
            return
    assert done <= 1, f"{key} was done twice"
    if entry.kind == "returned" and not entry.answer.is_error:
        assert done == 1, f"{key} says that it was done"
    if entry.kind in NOT_RUN:
        assert done == 0, f"{key} says that it wasn't done"


def _judge_rules(now: Kept, facts: Facts) -> None:
    removed = _ran(now, facts.handled, "wake_remove_rule")
    for key in _ran(now, facts.handled, "wake_add_rule"):
        entry = now.ledger[key]
        if entry.kind == "returned" and not entry.answer.is_error:
            tried = {now.ledger[each].opened.call.input["name"] for each in removed}
            assert key in now.rules or key in tried, f"the rule {key} is lost"


def _ran(now: Kept, handled: Iterable[str], name: str) -> list[str]:
    return [key for key in handled if now.ledger[key].opened.call.name == name]
