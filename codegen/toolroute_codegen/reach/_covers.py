"""Shapes against each other: which has all names of another, and what is left."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from toolroute_codegen.reach._machines import machine_of, shortest
from toolroute_codegen.shapes import (
    AnyName,
    Glob,
    Names,
    Prefix,
    Shape,
    Split,
    shape_takes,
)

_machine: Final = lru_cache(maxsize=1024)(machine_of)


def left_of(shape: Shape, others: Iterable[Shape]) -> str | None:
    """The shortest name of `shape` that none of `others` has; raises `Undecided`."""
    return shortest([_machine(shape)], [_machine(each) for each in others])


def common_to(one: Shape, other: Shape, without: Iterable[Shape]) -> str | None:
    """The shortest name of both that none of `without` has; raises `Undecided`."""
    return shortest(
        [_machine(one), _machine(other)], [_machine(each) for each in without]
    )


def covers(other: Shape, shape: Shape) -> bool:
    """Whether `other` has every name of `shape`; raises `Undecided`."""
    return other == shape or _plainly(other, shape) or not left_of(shape, [other])


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


def needed(shape: Shape, others: Sequence[Shape]) -> list[int]:
    """Which of `others` have every name of `shape` together, without an idle one.

    They do have them all. Raises `Undecided`.
    """
    kept: list[int] = []
    for at, other in enumerate(others):
        earlier = [others[each] for each in kept]
        if left_of(shape, earlier) is None:
            break
        if common_to(shape, other, earlier) is not None:
            kept.append(at)
    for at in reversed(kept):
        without = [others[each] for each in kept if each != at]
        if left_of(shape, without) is None:
            kept.remove(at)
    return kept


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
