"""When a `refuse` entry holds, as conditions: without what is known to hold already."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
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

        An empty list of parts always holds.
        """
        callers = self._callers(entry)
        if not callers:
            return
        parts: list[str] = []
        if callers != self.callers:
            parts.append(self.constants.one_of("caller", callers, "CALLERS"))
        if entry.names is not None:
            names = tuple(dict.fromkeys(entry.names))
            parts.append(self.constants.one_of("call.name", names, "NAMES"))
        for capability in dict.fromkeys(entry.when or ()):
            if capability in self.absent:
                return
            if capability not in self.present:
                parts.append(self.is_present(capability))
        for part in self._absences(entry):
            yield [*parts, *part]

    def learn(self, entry: RefuseEntry) -> None:
        """What holds once `entry` is known not to: only where it has a single part."""
        match (entry.callers, entry.names, entry.when, entry.unless):
            case (callers, None, None, None) if callers is not None:
                left = (each for each in self.callers if each not in callers)
                self.callers = tuple(left)
            case (None, None, (capability,), None):
                self.absent.add(capability)
            case (None, None, None, unless) if unless is not None:
                self.present.update(unless)
            case _:
                pass

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

    def _callers(self, entry: RefuseEntry) -> tuple[str, ...]:
        if entry.callers is None:
            return self.callers
        return tuple(each for each in self.callers if each in entry.callers)

    def _absences(self, entry: RefuseEntry) -> Iterable[list[str]]:
        if entry.unless is None:
            return ([],)
        if any(capability in self.absent for capability in entry.unless):
            return ([],)
        return (
            [self.is_absent(capability)]
            for capability in dict.fromkeys(entry.unless)
            if capability not in self.present
        )

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
