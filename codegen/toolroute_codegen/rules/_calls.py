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
    """What a route says to a call: its kind takes it, or it's refused."""

    kind: str | None
    refusal: str | None

    def __str__(self) -> str:
        if self.refusal is not None:
            return f"is refused with {quoted(self.refusal)}"
        return f"goes to {quoted(self.kind or '')}"

    def supposed(self) -> str:
        """The same, of what doesn't happen."""
        if self.refusal is not None:
            return f"would be refused with {quoted(self.refusal)}"
        return f"would go to {quoted(self.kind or '')}"


def answer_of(route: Route, call: Call, written: Written) -> Answer:
    """What `route` says to a call that gets to it; what only a host knows says nothing.

    Guards and unwraps are taken to let the call through.
    """
    if not call.present.issuperset(route.requires):
        return Answer(None, route.when_missing)
    for entry in route.refuse:
        if holds(entry, call):
            return Answer(None, entry.with_)
    if route.off_turn is not None and not _is_live(route, call, written):
        return Answer(None, route.off_turn)
    return Answer(route.kind, None)


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
