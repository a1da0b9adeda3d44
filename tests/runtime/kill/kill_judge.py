"""Compares what the killed left behind with what their ledger says of them."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SETTLED = ("not_executed", "outcome_unknown")


class Call(NamedTuple):
    """A row of the ledger."""

    serial: int
    owner: str
    key: str
    started: bool
    kind: str | None


@dataclass
class Facts:
    """What traces say, by key."""

    owners: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    started: set[str] = field(default_factory=set)
    handled: set[str] = field(default_factory=set)
    answered: dict[str, str] = field(default_factory=dict)
    delivered: dict[str, str] = field(default_factory=dict)
    recovered: dict[str, str] = field(default_factory=dict)

    def read(self, path: Path) -> None:
        """Add the lines of one trace; a last one that was cut off isn't one."""
        text = path.read_text() if path.exists() else ""
        for line in text.split("\n")[:-1]:
            self.add(*line.split(" "))

    def add(self, mark: str, key: str, *rest: str) -> None:
        """Add one fact."""
        match mark:
            case "W":
                self.owners.add(key)
            case "O":
                self.opened.add(key)
            case "S":
                self.started.add(key)
            case "H":
                self.handled.add(key)
            case "A":
                assert key not in self.answered, f"{key} was answered twice"
                (self.answered[key],) = rest
            case "D":
                assert key not in self.delivered, f"{key} was delivered twice"
                (self.delivered[key],) = rest
            case "R":
                assert key not in self.recovered, f"{key} was settled twice"
                (self.recovered[key],) = rest
            case _:
                raise AssertionError(f"no fact begins with {mark}")


@dataclass
class Judge:
    """Follows one ledger over many kills."""

    ledger: Path
    last: int = 0
    verdicts: dict[str, str] = field(default_factory=dict)
    recovered: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)

    def judge(self, facts: Facts, living: str) -> None:
        """The dead are settled, once and truly; the owner `living` isn't dead."""
        calls = [call for call in self.rows(self.last) if call.owner != living]
        for call in calls:
            self.judge_call(call, facts)
        keys = {call.key for call in calls}
        assert len(keys) == len(calls)
        assert facts.opened <= keys, "a call that was told as opened isn't on record"
        assert facts.handled <= keys, "a call that ran isn't on record"
        for key in facts.recovered:
            assert key in keys, f"{key} was settled before, or its owner lives"
            assert key not in facts.answered, f"{key} was answered and settled"
        self.recovered.update(facts.recovered.values())
        self.last = max([self.last, *(call.serial for call in calls)])
        self.verdicts |= {call.key: str(call.kind) for call in calls}

    def judge_call(self, call: Call, facts: Facts) -> None:
        """What its record says is what was seen."""
        key, kind = call.key, call.kind
        assert kind is not None, f"{key} has no answer"
        for said in (facts.answered, facts.delivered, facts.recovered):
            told = said.get(key, kind)
            assert told == kind, f"{key} was answered {told}, and {kind} is recorded"
        if key in facts.started or key in facts.handled:
            assert call.started, f"{key} ran, and its start isn't recorded"
        if key in facts.handled:
            assert kind != "not_executed", f"{key} ran, and is said not to have"
        if kind in SETTLED:
            truth = "outcome_unknown" if call.started else "not_executed"
            assert kind == truth, f"{key} is {kind} and should be {truth}"
        self.seen["ran and unknown"] += (
            key in facts.handled and kind == "outcome_unknown"
        )
        self.seen["answered and not told"] += (
            key not in facts.answered and kind not in SETTLED
        )
        self.seen[kind] += 1

    def judge_living(self, facts: Facts, owner: str) -> None:
        """All of a host's calls that ended well have the answer that it gave them."""
        calls = [call for call in self.rows(0) if call.owner == owner]
        assert {call.key: call.kind for call in calls} == facts.answered
        assert facts.delivered.items() <= facts.answered.items()
        assert not facts.recovered
        for call in calls:
            self.judge_call(call, facts)

    def unchanged(self) -> None:
        """No verdict was ever changed by what came after."""
        now = {call.key: call.kind for call in self.rows(0)}
        assert {key: now[key] for key in self.verdicts} == self.verdicts

    def rows(self, after: int) -> list[Call]:
        """The ledger's rows, as anybody reads them."""
        with closing(sqlite3.connect(self.ledger, timeout=20.0)) as file:
            found = file.execute(
                'SELECT serial, owner, "key", started_at IS NOT NULL, kind FROM calls '
                "WHERE serial > ? ORDER BY serial",
                (after,),
            )
            return [Call(*row[:3], bool(row[3]), row[4]) for row in found]
