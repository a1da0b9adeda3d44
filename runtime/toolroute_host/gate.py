"""The event gate: who is asleep, which rules hold, and so who wakes for what.

Deadlines and rules are kept in the store; a deadline is a moment by the wall clock, so
it still holds when the host was down meanwhile. An agent's own rules come before the
host's, and the first that matches decides; when none does, the agent wakes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never, final

from toolroute_host._kept import Clock, Kept, moment
from toolroute_host._rules import (
    Always,
    Debounce,
    Defer,
    PassiveSample,
    RateLimit,
    Rule,
    kept,
)
from toolroute_host.events import CHAT_TAGS, Event, Verdict
from toolroute_host.store import Store

__all__ = ["Due", "EventGate"]

HOST: Final = ""
"""The owner of what is the host's own, and holds for every agent."""

SLEEP: Final = "sleep"
SELF_WAKE: Final = "self_wake"
BEAT: Final = "heartbeat"
"""Comes again: its note says after how many seconds."""

DEBOUNCE: Final = "debounce:"
HOSTS_DEBOUNCE: Final = "host_debounce:"
MOST_RULES: Final = 200


@final
@dataclass(frozen=True, slots=True)
class Due:
    """A deadline that has come: whose, what for, and what was noted with it."""

    owner: str
    purpose: str
    note: str | None


@final
class EventGate(Kept):
    """Sleep, rules and deadlines of every agent on the host."""

    def __init__(self, store: Store, now: Clock) -> None:
        super().__init__(store, now)
        self._tags: dict[str, str] = dict(CHAT_TAGS)
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._held: dict[str, int] = {}

    # sleep and other deadlines

    def sleep(self, owner: str, seconds: float) -> float:
        """Let nothing wake this owner for so long; gives the moment it ends."""
        return self.set_deadline(owner, SLEEP, seconds)

    def wake(self, owner: str) -> bool:
        """End a sleep early; whether there was one."""
        asleep = self.asleep_until(owner) is not None
        self.clear_deadline(owner, SLEEP)
        return asleep

    def asleep_until(self, owner: str) -> float | None:
        """When this owner's own sleep ends, if it sleeps."""
        at = self.deadline(owner, SLEEP)
        return at if at is not None and at > self._now() else None

    def set_deadline(
        self, owner: str, purpose: str, seconds: float, note: str | None = None
    ) -> float:
        """Set one, in place of an earlier one for the same purpose."""
        at = self._now() + seconds
        with self._store.change() as db:
            db.execute(
                "INSERT OR REPLACE INTO deadlines VALUES (?, ?, ?, ?)",
                (owner, purpose, at, note),
            )
        return at

    def clear_deadline(self, owner: str, purpose: str) -> None:
        """Forget one, if it was set."""
        with self._store.change() as db:
            db.execute(
                "DELETE FROM deadlines WHERE owner = ? AND purpose = ?",
                (owner, purpose),
            )

    def deadline(self, owner: str, purpose: str) -> float | None:
        """When it is, past or to come, if it was set."""
        at, _ = self.deadline_and_note(owner, purpose)
        return at

    def deadline_and_note(
        self, owner: str, purpose: str
    ) -> tuple[float | None, str | None]:
        """As `deadline`, with what was noted; nothing twice when it wasn't set."""
        rows: list[tuple[Any, ...]] = self._store.read(
            "SELECT at, note FROM deadlines WHERE owner = ? AND purpose = ?",
            owner,
            purpose,
        )
        return (rows[0][0], rows[0][1]) if rows else (None, None)

    def next_deadline(self) -> float | None:
        """The moment of the first one that is set, past or to come."""
        rows: list[tuple[float | None]] = self._store.read(
            "SELECT min(at) FROM deadlines"
        )
        return rows[0][0]

    def due(self) -> Iterator[Due]:
        """The deadlines that have come, oldest first.

        Each is over when the next is asked for, and not before: where the host dies
        with one in hand, it's given again after the restart.
        """
        rows = self._store.read(
            "SELECT owner, purpose, note, at FROM deadlines WHERE at <= ? "
            "ORDER BY at, owner, purpose",
            self._now(),
        )
        for owner, purpose, note, at in rows:
            yield Due(owner, purpose, note)
            self._over(owner, purpose, note, at)

    def _over(self, owner: str, purpose: str, note: str | None, at: float) -> None:
        """Forget a deadline, or set it again; one that was set since is left alone."""
        this = (owner, purpose, at)
        with self._store.change() as db:
            if purpose == BEAT and note is not None:
                then = self._now() + float(note)
                db.execute(
                    "UPDATE deadlines SET at = ? "
                    "WHERE owner = ? AND purpose = ? AND at = ?",
                    (then, *this),
                )
            else:
                db.execute(
                    "DELETE FROM deadlines WHERE owner = ? AND purpose = ? AND at = ?",
                    this,
                )

    # rules

    def rules(self, owner: str) -> list[Rule]:
        """This owner's rules, in the order in which they are tried."""
        rows = self._store.read(
            "SELECT name, rule FROM rules WHERE owner = ? ORDER BY place", owner
        )
        return [kept(name, rule) for name, rule in rows]

    def add_rule(self, owner: str, rule: Rule, *, first: bool = False) -> bool:
        """Add a rule, or put it in the place of the one it replaces; whether it did."""
        with self._store.change() as db:
            replaced = db.execute(
                "UPDATE rules SET rule = ? WHERE owner = ? AND name = ?",
                (rule.as_json(), owner, rule.name),
            ).rowcount
            if not replaced:
                lowest, highest = db.execute(
                    "SELECT coalesce(min(place), 0), coalesce(max(place), 0) "
                    "FROM rules WHERE owner = ?",
                    (owner,),
                ).fetchone()
                place = lowest - 1 if first else highest + 1
                db.execute(
                    "INSERT INTO rules VALUES (?, ?, ?, ?)",
                    (owner, rule.name, place, rule.as_json()),
                )
        self._forget(owner, rule.name)
        return bool(replaced)

    def remove_rule(self, owner: str, name: str) -> bool:
        """Remove a rule; whether there was one of that name."""
        with self._store.change() as db:
            removed = db.execute(
                "DELETE FROM rules WHERE owner = ? AND name = ?", (owner, name)
            ).rowcount
        self._forget(owner, name)
        return bool(removed)

    def _forget(self, owner: str, name: str) -> None:
        self._buckets.pop((owner, name), None)
        self._counts.pop((owner, name), None)
        if owner != HOST:
            self.clear_deadline(owner, f"{DEBOUNCE}{name}")
            return
        with self._store.change() as db:  # the host's rule may have held anybody's
            purpose = f"{HOSTS_DEBOUNCE}{name}"
            db.execute("DELETE FROM deadlines WHERE purpose = ?", (purpose,))

    # events

    def judge(self, event: Event, agent: str) -> Verdict:
        """Whether this agent wakes for this event, by its sleep and the rules."""
        verdict = self._judge(event, agent)
        if not verdict.wakes:
            self._held[agent] = self._held.get(agent, 0) + 1
        return verdict

    def held(self, agent: str) -> int:
        """How many events woke nobody, since the host started."""
        return self._held.get(agent, 0)

    def _judge(self, event: Event, agent: str) -> Verdict:
        for owner, whose in ((agent, agent), (HOST, "the host")):
            until = self.asleep_until(owner)
            if until is not None:
                return Verdict(wakes=False, why=f"{whose} sleeps until {moment(until)}")
        for owner in (agent, HOST):
            for rule in self.rules(owner):
                if rule.matches(event):
                    wakes = self._wakes(owner, rule, agent)
                    return Verdict(wakes=wakes, why=f"the rule {rule.name!r}")
        return Verdict(wakes=True, why="no rule says otherwise")

    def _wakes(self, owner: str, rule: Rule, agent: str) -> bool:
        match rule.behaviour:
            case Always():
                return True
            case Defer():
                return False
            case Debounce(milliseconds):
                whose = DEBOUNCE if owner != HOST else HOSTS_DEBOUNCE
                purpose = f"{whose}{rule.name}"
                self.set_deadline(agent, purpose, milliseconds / 1000)
                return False
            case RateLimit(tokens, refill_ms):
                return self._takes_token((owner, rule.name), tokens, refill_ms)
            case PassiveSample(every):
                count = self._counts.get((owner, rule.name), 0) + 1
                self._counts[owner, rule.name] = count % every
                return count >= every
            case _:
                assert_never(rule.behaviour)

    def _takes_token(
        self, key: tuple[str, str], tokens: float, refill_ms: float
    ) -> bool:
        now = self._now()
        left, since = self._buckets.get(key, (tokens, now))
        left = min(tokens, left + max(0.0, now - since) * 1000 / refill_ms)
        takes = left >= 1
        self._buckets[key] = (left - 1 if takes else left, now)
        return takes

    # what there is to know

    def declare_tags(self, tags: Mapping[str, str]) -> None:
        """Say which tags a source gives its events, and what each means."""
        self._tags.update(tags)

    def tags(self) -> dict[str, str]:
        """Every tag that a rule can name, with what it says."""
        return dict(sorted(self._tags.items()))

    def deadlines(self, owner: str) -> dict[str, str]:
        """This owner's deadlines that are still to come, by purpose."""
        rows: list[tuple[Any, ...]] = self._store.read(
            "SELECT purpose, at FROM deadlines WHERE owner = ? AND at > ? ORDER BY at",
            owner,
            self._now(),
        )
        return {purpose: moment(at) for purpose, at in rows}
