"""Shapes against each other: which has all names of another, and what is left."""

from collections.abc import Iterable, Sequence
from typing import Final, final

from toolroute_codegen.reach._machines import Budget, Machine, machine_of, shortest
from toolroute_codegen.shapes import (
    AnyName,
    Glob,
    Names,
    Prefix,
    Shape,
    Split,
    shape_takes,
)


@final
class Covers:
    """Questions about shapes, each of which may raise `Undecided`."""

    def __init__(self) -> None:
        self._budget: Final = Budget()
        self._machines: Final[dict[Shape, Machine]] = {}

    def left_of(self, shape: Shape, others: Iterable[Shape]) -> str | None:
        """The shortest name of `shape` that none of `others` has."""
        return self._shortest([shape], others)

    def common_to(self, one: Shape, other: Shape, but: Iterable[Shape]) -> str | None:
        """The shortest name of both that none of `but` has."""
        return self._shortest([one, other], but)

    def covers(self, other: Shape, shape: Shape) -> bool:
        """Whether `other` has every name of `shape`."""
        plain = other == shape or _plainly(other, shape)
        return plain or self.left_of(shape, [other]) is None

    def needed(self, shape: Shape, others: Sequence[Shape]) -> list[int]:
        """Which of `others` have every name of `shape` together, without an idle one.

        All of them together do have them.
        """
        kept: list[int] = []
        for at, other in enumerate(others):
            earlier = [others[each] for each in kept]
            if self.left_of(shape, earlier) is None:
                break
            if self.common_to(shape, other, earlier) is not None:
                kept.append(at)
        for at in reversed(kept):
            without = [others[each] for each in kept if each != at]
            if self.left_of(shape, without) is None:
                kept.remove(at)
        return kept

    def _shortest(self, all_of: list[Shape], none_of: Iterable[Shape]) -> str | None:
        return shortest(
            [self._machine(each) for each in all_of],
            [self._machine(each) for each in none_of],
            self._budget,
        )

    def _machine(self, shape: Shape) -> Machine:
        if shape not in self._machines:
            self._machines[shape] = machine_of(shape)
        return self._machines[shape]


def may_meet(shape: Shape, other: Shape) -> bool:
    """Whether they may have a name in common; if not, they have none."""
    if isinstance(other, Names):
        return any(shape_takes(shape, name) for name in other.names)
    if isinstance(shape, Names):
        return may_meet(other, shape)
    head, tail = _ends(shape)
    other_head, other_tail = _ends(other)
    return (head.startswith(other_head) or other_head.startswith(head)) and (
        tail.endswith(other_tail) or other_tail.endswith(tail)
    )


def _plainly(other: Shape, shape: Shape) -> bool:
    """Whether it covers by its ends alone: the usual case, without an automaton."""
    match other:
        case Prefix() | Glob():
            pass
        case Names() | Split() | AnyName():
            return False
    head, tail = _ends(shape)
    other_head, other_tail = _ends(other)
    return (
        not isinstance(shape, Names)
        and head.startswith(other_head)
        and tail.endswith(other_tail)
    )


def _ends(shape: Shape) -> tuple[str, str]:
    """What every name of a pattern begins and ends with."""
    match shape:
        case Prefix(head):
            return head, ""
        case Glob(head, tail):
            return head, tail
        case _:
            return "", ""
