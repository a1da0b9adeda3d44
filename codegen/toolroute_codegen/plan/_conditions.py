"""When a `refuse` entry holds, as conditions: without what is known to hold already."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, final

from toolroute_codegen.plan._layout import laid_out, literal, one_of
from toolroute_codegen.table import RefuseEntry, Written


@final
class Constants:
    """Sets of names and callers that conditions ask about, each under a name."""

    def __init__(self) -> None:
        self._named: Final[dict[tuple[str, tuple[str, ...]], str]] = {}

    def one_of(self, subject: str, values: tuple[str, ...], stem: str) -> str:
        """The condition that `subject` is one of `values`."""
        if len(values) == 1:
            return f"{subject} == {literal(values[0])}"
        return f"{subject} in {self.name_of(values, stem)}"

    def name_of(self, values: tuple[str, ...], stem: str) -> str:
        """The constant that holds `values`."""
        return self._named.setdefault((stem, values), f"_{stem}_{len(self._named) + 1}")

    def assignments(self) -> Iterator[str]:
        """The lines that define them."""
        for (_, values), name in self._named.items():
            yield laid_out(one_of(values), before=f"{name}: Final[frozenset[str]] = ")


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """A condition, and what is learnt where it doesn't hold."""

    condition: str
    learn: Callable[[], object]


@final
@dataclass(slots=True)
class Known:
    """What earlier conditions of a step leave open, so that none is asked in vain.

    A condition that the type checkers can see to be always true, or never, is an error
    to them. `callers` are those not refused yet; `reads` are the capabilities that the
    step reads, each time it does.
    """

    written: Written
    constants: Constants
    callers: tuple[str, ...]
    present: set[str] = field(default_factory=set[str])
    absent: set[str] = field(default_factory=set[str])
    reads: list[str] = field(default_factory=list[str])

    def conditions(self, entry: RefuseEntry) -> Iterator[list[str]]:
        """What must hold for `entry` to refuse: any of these, each all of its parts.

        Without parts it always holds. What comes later can count on this not holding,
        so the next is asked for when this one is written.
        """
        missing = (None,) if entry.unless is None else dict.fromkeys(entry.unless)
        for absent in missing:
            parts = self._parts(entry, absent)
            if parts is not None:
                yield [part.condition for part in parts]
                if len(parts) == 1:
                    parts[0].learn()

    def _parts(self, entry: RefuseEntry, absent: str | None) -> list[_Part] | None:
        """What must hold besides what is known to; None: it can't all hold."""
        callers = self._among(entry.callers)
        when = tuple(dict.fromkeys(entry.when or ()))
        if not callers or not self.absent.isdisjoint(when):
            return None
        if absent is not None and (absent in self.present or absent in when):
            return None
        parts: list[_Part] = []
        if callers != self.callers:
            condition = self.constants.one_of("caller", callers, "CALLERS")
            parts.append(_Part(condition, lambda: self._refused(callers)))
        if entry.names is not None:
            names = tuple(dict.fromkeys(entry.names))
            condition = self.constants.one_of("call.name", names, "NAMES")
            parts.append(_Part(condition, lambda: None))
        parts.extend(
            _Part(self.is_present(each), partial(self.absent.add, each))
            for each in when
            if each not in self.present
        )
        if absent is not None and absent not in self.absent:
            learn = partial(self.present.add, absent)
            parts.append(_Part(self.is_absent(absent), learn))
        return parts

    def _among(self, callers: tuple[str, ...] | None) -> tuple[str, ...]:
        return tuple(
            each for each in self.callers if callers is None or each in callers
        )

    def _refused(self, callers: tuple[str, ...]) -> None:
        self.callers = tuple(each for each in self.callers if each not in callers)

    def is_present(self, capability: str) -> str:
        """The condition that `capability` is present."""
        self.reads.append(capability)
        typed = self.written.capabilities[capability].type is not None
        return f"host.{capability}{' is not None' if typed else ''}"

    def is_absent(self, capability: str) -> str:
        """The condition that `capability` is absent."""
        self.reads.append(capability)
        if self.written.capabilities[capability].type is None:
            return f"not host.{capability}"
        return f"host.{capability} is None"

    def not_on_road(self, road: str) -> list[str]:
        """The condition that the caller is on another road, as a part of an `or`.

        No part at all: it isn't possible. An empty part: it's certain.
        """
        on_road = tuple(
            each for each in self.callers if self.written.callers[each].road == road
        )
        if not on_road:
            return [""]
        if on_road == self.callers:
            return []
        if len(on_road) == 1:
            return [f"caller != {literal(on_road[0])}"]
        return [f"caller not in {self.constants.name_of(on_road, 'CALLERS')}"]
