"""A lookup could take a name that a later route lists.

What it finds: a `lookup` without `within`, or with one that isn't narrow enough, before
a route whose exact names it would be asked about. A name that an earlier route takes
anyway isn't counted.

Why it matters: what a lookup finds is up to the running host. A server that connects
and lists `agent_settings` would take that name from the tool that the table gives it
to.

For example:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: server
      - kind: settings
        names: [agent_settings]

Bound what it is asked about, or move it behind the names:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: server
        within: {split: "--"}
      - kind: settings
        names: [agent_settings]
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import Final, TypeAlias

from toolroute_codegen.diagnostics import Diagnostic, Note
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import all_quoted
from toolroute_codegen.shapes import Shape, sendable, shape_takes

CODE: Final = "TR223"

_SHOWN: Final = 3

_Names: TypeAlias = list[tuple[int, int, str]]
"""The position of a route, that of a name in it, and the name."""


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each lookup that would be asked about a later route's exact name."""
    lookups = [at for at, route in enumerate(facts.routes) if route.lookup is not None]
    asked: dict[Shape, _Names] = {}
    for at in lookups:
        shape = facts.reach.shapes[at]
        if shape is None:
            continue
        if shape not in asked:
            asked[shape] = list(_taken_by(shape, facts))
        later = asked[shape][bisect_right(asked[shape], at, key=_route_of) :]
        names = (each for each in later if _could_take(at, each, facts))
        some = list(islice(names, _SHOWN))
        if some:
            yield _greedy(at, some, facts)


def _taken_by(shape: Shape, facts: Facts) -> Iterator[tuple[int, int, str]]:
    for at, route in enumerate(facts.routes):
        for which, name in enumerate(route.names or ()):
            if sendable(name) and shape_takes(shape, name):
                yield at, which, name


def _could_take(lookup: int, name: tuple[int, int, str], facts: Facts) -> bool:
    """Whether the lookup is asked about it in a call that would go to its route."""
    at, _, exact = name
    reach = facts.reach
    present = reach.least(lookup) | reach.least(at)
    return reach.first(exact, present, at) is None


def _route_of(name: tuple[int, int, str]) -> int:
    return name[0]


def _greedy(lookup: int, names: _Names, facts: Facts) -> Diagnostic:
    at, which, _ = names[0]
    key = "within" if facts.routes[lookup].within is not None else "lookup"
    shown = all_quoted(dict.fromkeys(name for _, _, name in names))
    return Diagnostic(
        facts.place(("routes", lookup, key)),
        CODE,
        f"this lookup could take {shown}, which later routes list",
        "Bound it with a narrower `within`, or move it behind the routes that list "
        "them.",
        (Note("Listed here:", facts.place(("routes", at, "names", which))),),
    )
