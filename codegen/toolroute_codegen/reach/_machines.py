"""Shapes as automata, and the shortest name that some take and others don't.

A name is read from the left. Each shape is a small deterministic automaton over the
characters of names, so "does every name of this shape have one of those shapes" is a
search through the states that all of them can be in together. The search goes by
length, so what it finds is the shortest such name; names longer than any provider sends
don't count.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never, final

from toolroute_codegen.shapes import (
    ALPHABET,
    LONGEST_NAME,
    AnyName,
    Glob,
    Names,
    Prefix,
    Shape,
    Split,
)

DEAD: Final = -1
"""The state from which nothing is taken any more."""

MOST_STEPS: Final = 5_000_000
"""Steps of single automata that a table's searches may take: some seconds."""


@final
class Undecided(Exception):  # noqa: N818 - not an error: the question is too large
    """The search would take too long."""


@final
class Budget:
    """What the searches of a table may still take, so that a hostile one ends."""

    def __init__(self) -> None:
        self._left = MOST_STEPS

    def spend(self, steps: int) -> None:
        """Take `steps` of it; raises `Undecided` where that's more than is left."""
        self._left -= steps
        if self._left < 0:
            raise Undecided


@final
@dataclass(frozen=True, slots=True)
class Machine:
    """An automaton; state 0 is the first.

    `steps[state]` says where each character that matters leads, `others[state]` where
    all the rest do. From a state in `ever`, every way on is taken.
    """

    steps: tuple[dict[str, int], ...]
    others: tuple[int, ...]
    taken: frozenset[int]
    ever: frozenset[int]

    def after(self, state: int, character: str) -> int:
        """The state behind `character`."""
        return self.steps[state].get(character, self.others[state])


def machine_of(shape: Shape) -> Machine:
    """The automaton that takes the names that `shape` takes."""
    match shape:
        case Names(names):
            return _names(names)
        case Prefix(head):
            return _between(head, "")
        case Glob(head, tail):
            return _between(head, tail)
        case Split(separator):
            return _split(separator)
        case AnyName():
            return _between("", "")
        case _:
            assert_never(shape)


def shortest(
    all_of: Sequence[Machine], none_of: Sequence[Machine], budget: Budget
) -> str | None:
    """The shortest name that `all_of` take and `none_of` do; raises `Undecided`."""
    characters = _that_matter((*all_of, *none_of))
    cost = len(characters) * (len(all_of) + len(none_of))
    search = _Search(all_of, none_of)
    layer = {search.start: ""}
    seen = {search.start}
    for _ in range(LONGEST_NAME):
        longer: dict[_State, str] = {}
        for state, name in layer.items():
            budget.spend(cost)
            for character in characters:
                after = search.after(state, character)
                if after is None or after in seen:
                    continue
                if search.is_found(after):
                    return name + character
                seen.add(after)
                longer[after] = name + character
        layer = longer
    return None


_State: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The states of those that must take the name, and of the others that still may."""


@final
class _Search:
    def __init__(self, all_of: Sequence[Machine], none_of: Sequence[Machine]) -> None:
        self._all_of: Final = all_of
        self._none_of: Final = none_of
        self.start: Final[_State] = (
            (0,) * len(all_of),
            tuple((at, 0) for at in range(len(none_of))),
        )

    def after(self, state: _State, character: str) -> _State | None:
        """The state behind `character`; None where nothing can be found any more."""
        wanted, unwanted = state
        takers = tuple(
            machine.after(at, character)
            for machine, at in zip(self._all_of, wanted, strict=True)
        )
        if DEAD in takers:
            return None
        alive: list[tuple[int, int]] = []
        for which, at in unwanted:
            machine = self._none_of[which]
            behind = machine.after(at, character)
            if behind in machine.ever:
                return None
            if behind != DEAD:
                alive.append((which, behind))
        return takers, tuple(alive)

    def is_found(self, state: _State) -> bool:
        """Whether the name that led here is one that's looked for."""
        wanted, unwanted = state
        return all(
            at in machine.taken
            for machine, at in zip(self._all_of, wanted, strict=True)
        ) and not any(at in self._none_of[which].taken for which, at in unwanted)


def _that_matter(machines: Iterable[Machine]) -> list[str]:
    """The characters that some automaton tells from others, and one that none does."""
    told = {each for machine in machines for steps in machine.steps for each in steps}
    others = [each for each in ALPHABET if each not in told]
    return [*others[:1], *(each for each in ALPHABET if each in told)]


def _names(names: Collection[str]) -> Machine:
    steps: list[dict[str, int]] = [{}]
    taken: set[int] = set()
    for name in names:
        at = 0
        for character in name:
            if character not in steps[at]:
                steps[at][character] = len(steps)
                steps.append({})
            at = steps[at][character]
        taken.add(at)
    return Machine(
        tuple(steps), (DEAD,) * len(steps), frozenset(taken), frozenset[int]()
    )


def _between(head: str, tail: str) -> Machine:
    """Names with `head`, something, and `tail`."""
    start = len(head) + 1
    steps = [{each: at + 1} for at, each in enumerate(head)]
    others = [DEAD] * len(head)
    steps.append({})
    others.append(start)
    for row in _finding(tail):
        steps.append({each: start + found for each, found in row.items()})
        others.append(start)
    last = frozenset({start + len(tail)})
    return Machine(tuple(steps), tuple(others), last, frozenset() if tail else last)


def _split(separator: str) -> Machine:
    """Names with something on both sides of the first `separator`.

    At its start, a name that goes on as the separator does is told from others: one
    that begins with it is never taken. The states are the characters of the separator
    that such a name has had, then those that another has just had, then that it had
    them all, then that something followed.
    """
    size = len(separator)
    done = 2 * size + 1
    rows = _finding(separator)[:-1]
    fresh = [_moved(row, size) for row in rows]
    for at, each in enumerate(separator):
        fresh[at][each] = at + 1 if at + 1 < size else DEAD
    stale = [_moved(row, size) for row in rows]
    return Machine(
        (*fresh, *stale, {}, {}),
        (*([size] * (2 * size)), done, done),
        frozenset({done}),
        frozenset({done}),
    )


def _moved(row: dict[str, int], by: int) -> dict[str, int]:
    return {each: at + by for each, at in row.items()}


def _finding(text: str) -> list[dict[str, int]]:
    """How many characters of `text` a name ends with, after each character.

    Row by row for how many it ended with before; what isn't there leads to none.
    """
    rows: list[dict[str, int]] = []
    back = 0
    for at, each in enumerate(text):
        row = dict(rows[back]) if rows else {}
        if rows:
            back = row.get(each, 0)
        row[each] = at + 1
        rows.append(row)
    rows.append(dict(rows[back]) if rows else {})
    return rows
