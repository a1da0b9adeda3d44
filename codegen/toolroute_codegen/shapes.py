"""Which names a route's shape takes, and which names there are.

A shape says nothing of what is present or who calls. The rules, the plan and the
interpreter all ask here.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never, final

from toolroute_codegen.table import Route, Within

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:"
"""What a name is made of, the characters that are common in names first."""

LONGEST_NAME: Final = 128
"""Characters of a name that some provider sends."""

sendable: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}").fullmatch
"""Whether some provider sends this name: no other is routed."""

portable: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}").fullmatch
"""Whether every provider sends this name: those that a table lists are such."""


@final
@dataclass(frozen=True, slots=True)
class Names:
    """These names."""

    names: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Prefix:
    """Names that begin with `head` and go on."""

    head: str


@final
@dataclass(frozen=True, slots=True)
class Glob:
    """Names that begin with `head`, end with `tail`, and have something in between."""

    head: str
    tail: str


@final
@dataclass(frozen=True, slots=True)
class Split:
    """Names with something on both sides of the first `separator`."""

    separator: str


@final
@dataclass(frozen=True, slots=True)
class AnyName:
    """Every name: what a lookup without bounds is asked about."""


Pattern: TypeAlias = Prefix | Glob | Split | AnyName
Shape: TypeAlias = Names | Pattern


def takes(route: Route, name: str) -> bool:
    """Whether the shape of `route` takes `name`, which is sendable."""
    return shape_takes(shape_of(route), name)


def shape_of(route: Route) -> Shape:
    """The shape of a route; a lookup's is its `within`, else any name."""
    if route.names is not None:
        return Names(route.names)
    if route.lookup is None:
        return _pattern(route)
    return AnyName() if route.within is None else _pattern(route.within)


def shape_takes(shape: Shape, name: str) -> bool:
    """Whether `shape` takes `name`, which is sendable."""
    match shape:
        case Names(names):
            return name in names
        case Prefix(head):
            return len(name) > len(head) and name.startswith(head)
        case Glob(head, tail):
            return (
                len(name) > len(head) + len(tail)
                and name.startswith(head)
                and name.endswith(tail)
            )
        case Split(separator):
            return all(parts(separator, name))
        case AnyName():
            return True
        case _:
            assert_never(shape)


def parts(separator: str, name: str) -> tuple[str, str]:
    """What stands before and after the first `separator` in `name`."""
    before, _, after = name.partition(separator)
    return before, after


def _pattern(written: Route | Within) -> Prefix | Glob | Split:
    if written.prefix is not None:
        return Prefix(written.prefix)
    if written.glob is not None:
        head, _, tail = written.glob.partition("*")
        return Glob(head, tail)
    if written.split is None:
        raise AssertionError("parse lets no route through without a matcher")
    return Split(written.split)
