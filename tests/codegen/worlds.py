"""One set of answers, seen by the interpreter as a world and by a module as a host."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolroute import Refusal, ToolCall
from toolroute.routing import Matched, one_line
from toolroute_codegen.interpreter import Decision, Taken
from toolroute_codegen.table import Table, Written
from toolroute_codegen.texts import Placeholder, pieces, placeholders

RAISES = "raises"
"""An answer that isn't one: the host raises."""

ROGUE = Refusal("rogue", "ROGUE", "no", "a refusal that nobody declared")


class Down(Exception):  # noqa: N818 - what a host raises, whatever it's called
    """What a host raises in these tests."""


@dataclass(frozen=True)
class Answers:
    """What is present, and what each member answers, by the name it's asked about.

    An answer is picked out of its list by the name, so one list answers names apart.
    `raising` are the capabilities that can't be read.
    """

    present: frozenset[str] = frozenset()
    raising: frozenset[str] = frozenset()
    members: Mapping[str, Sequence[Any]] = field(
        default_factory=dict[str, Sequence[Any]]
    )
    listed: Mapping[str, Sequence[Any] | str] = field(
        default_factory=dict[str, Sequence[Any] | str]
    )

    def answer(self, member: str, name: str) -> Any:
        """What `member` answers about `name`."""
        options = self.members.get(member) or (None,)
        option = options[zlib.crc32(name.encode()) % len(options)]
        if option == RAISES:
            raise Down(member)
        return option

    def has(self, capability: str) -> bool:
        """Whether it is present."""
        if capability in self.raising:
            raise Down(capability)
        return capability in self.present

    def names(self, kind: str) -> Sequence[Any]:
        """What the host lists of `kind`."""
        names = self.listed.get(kind, ())
        if isinstance(names, str):
            raise Down(kind)
        return names


@dataclass
class AWorld:
    """The answers as the interpreter asks for them; `asked` is what it asked."""

    answers: Answers
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def has(self, capability: str) -> bool:
        return self.answers.has(capability)

    def lookup(self, lookup: str, name: str) -> object:
        self.asked.append((lookup, name))
        return self.answers.answer(lookup, name)

    def guard(self, guard: str, call: ToolCall, caller: str) -> object:
        del caller
        self.asked.append((guard, call.name))
        return self.answers.answer(guard, call.name)

    def unwrap(self, unwrap: str, call: ToolCall) -> object:
        self.asked.append((unwrap, call.name))
        return self.answers.answer(unwrap, call.name)

    def listed(self, kind: str) -> Iterable[object]:
        return self.answers.names(kind)


class AHost:
    """The answers as a generated module asks for them; `reads` counts capabilities."""

    def __init__(self, answers: Answers, written: Written) -> None:
        self._answers = answers
        self._written = written
        self.asked: list[tuple[str, str]] = []
        self.reads: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in self._written.capabilities:
            self.reads.append(name)
            there = self._answers.has(name)
            if self._written.capabilities[name].type is None:
                return there
            return Thing(name) if there else None
        if name.startswith("list_"):
            return lambda: self._answers.names(name.removeprefix("list_"))
        if name in self._written.guards:
            return self._guard(name)
        if name in self._written.lookups or name in self._written.unwraps:
            return self._member(name)
        raise AttributeError(name)

    def _guard(self, name: str) -> Callable[[Any, str], Any]:
        def guard(seen: Any, caller: str) -> Any:
            assert isinstance(caller, str)
            by_input = self._written.guards[name].sees == "input"
            assert isinstance(seen, ToolCall if by_input else str)
            return self._asked(name, seen)

        return guard

    def _member(self, name: str) -> Callable[[Any], Any]:
        return lambda seen: self._asked(name, seen)

    def _asked(self, member: str, seen: Any) -> Any:
        name = seen.name if isinstance(seen, ToolCall) else seen
        self.asked.append((member, name))
        return self._answers.answer(member, name)


@dataclass(frozen=True)
class Thing:
    """A capability, when it is present."""

    name: str


def seen(decided: Matched | Refusal, table: Table) -> tuple[Any, ...] | Refusal:
    """A module's decision in terms that the interpreter's can be put in too."""
    if isinstance(decided, Refusal):
        return decided
    route: Any = decided
    route_of = next(r for r in table.written.routes if r.kind == route.kind)
    for capability in route_of.requires:
        if table.written.capabilities[capability].type is not None:
            assert getattr(route, capability) == Thing(capability)
    assert (route.plane, route.ends_turn) == (route_of.plane, route_of.ends_turn)
    parts = (route.before, route.after) if route_of.split is not None else None
    target = route.target if route_of.lookup is not None else None
    return (route.kind, route.call, target, parts)


def read(decided: Decision) -> tuple[Any, ...] | Refusal:
    """The interpreter's decision in the same terms."""
    if isinstance(decided, Taken):
        return (decided.kind, decided.call, decided.target, decided.parts)
    return decided


def refusal_of(written: Written, refusal: str, **given: str) -> Refusal:
    """A refusal in the table's words; what isn't given is put in as `?`."""
    words = written.refusals[refusal]
    text = "".join(
        one_line(given.get(each.name, "?"))
        if isinstance(each, Placeholder)
        else str(each)
        for each in pieces(words.text)
    )
    return Refusal(refusal, words.code, words.retry, text)


__all__ = [
    "RAISES",
    "ROGUE",
    "AHost",
    "AWorld",
    "Answers",
    "Down",
    "Thing",
    "placeholders",
    "read",
    "refusal_of",
    "seen",
]
