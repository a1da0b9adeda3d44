"""A call that shows what a finding says, and its answer as far as the table goes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from toolroute_codegen.reach import Present
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import RefuseEntry, Route, Written


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A call by a caller whose road makes it in a turn, or not, as roads do."""

    name: str
    caller: str
    present: Present

    def __str__(self) -> str:
        return (
            f"{quoted(self.name)} called by {quoted(self.caller)} with "
            f"{_listed(self.present)} present"
        )


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What a route says to a call: its kind takes it, or it's refused.

    `if_` is what only a host knows, and what it has to say for this answer.
    """

    kind: str | None
    refusal: str | None
    if_: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.refusal is not None:
            return f"is refused with {quoted(self.refusal)}{self._if()}"
        return f"goes to {quoted(self.kind or '')}{self._if()}"

    def supposed(self) -> str:
        """The same, of what doesn't happen."""
        if self.refusal is not None:
            return f"would be refused with {quoted(self.refusal)}{self._if()}"
        return f"would go to {quoted(self.kind or '')}{self._if()}"

    def _if(self) -> str:
        return f" if {' and '.join(self.if_)}" if self.if_ else ""


def answer_of(route: Route, call: Call, written: Written) -> Answer:
    """What `route` says to a call that gets to it, if the host lets it through."""
    if not call.present.issuperset(route.requires):
        return Answer(None, route.when_missing)
    found = _asked(route.lookup, "the lookup {} finds it")
    for entry in route.refuse:
        if holds(entry, call):
            return Answer(None, entry.with_, found)
    if route.off_turn is not None and not _is_live(route, call, written):
        return Answer(None, route.off_turn, found)
    allowed = _asked(route.guard, "the guard {} allows it")
    whole = _asked(route.unwrap, "the unwrap {} reads no other call in it")
    return Answer(route.kind, None, (*found, *allowed, *whole))


def _asked(name: str | None, says: str) -> tuple[str, ...]:
    return () if name is None else (says.format(quoted(name)),)


def holds(entry: RefuseEntry, call: Call) -> bool:
    """Whether each part of a `refuse` entry does."""
    return (
        (entry.callers is None or call.caller in entry.callers)
        and (entry.names is None or call.name in entry.names)
        and (entry.when is None or call.present.issuperset(entry.when))
        and (entry.unless is None or not call.present.issuperset(entry.unless))
    )


def _is_live(route: Route, call: Call, written: Written) -> bool:
    road = written.callers[call.caller].road
    return road == "turn" or (road == "script" and route.plane == "server")


def _listed(present: Iterable[str]) -> str:
    words = [quoted(each) for each in sorted(present)]
    if not words:
        return "nothing"
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
