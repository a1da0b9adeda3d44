"""A list has the same entry twice.

What it finds: a name, caller, capability, refusal or form of a name that is already in
the same list.

Why it matters: the second does nothing. Often, another was meant, and that one is
missing.

For example:

    routes:
      - kind: file
        names: [file_read, file_write, file_read]

Take it out, or write what was meant:

    routes:
      - kind: file
        names: [file_read, file_write, file_list]
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from toolroute_codegen.diagnostics import Diagnostic, Note
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import Path, Route

CODE: Final = "TR229"

_List: TypeAlias = tuple[Path, tuple[str, ...]]


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each entry that is in its list already."""
    for path, entries in _lists(facts):
        if len(set(entries)) == len(entries):
            continue
        first: dict[str, int] = {}
        for at, entry in enumerate(entries):
            if first.setdefault(entry, at) == at:
                continue
            yield Diagnostic(
                facts.place((*path, at)),
                CODE,
                f"{quoted(entry)} is in this list already",
                "Take it out, or write what was meant.",
                (Note("It is here first:", facts.place((*path, first[entry]))),),
            )


def _lists(facts: Facts) -> Iterator[_List]:
    written = facts.written
    for name, lookup in written.lookups.items():
        yield ("lookups", name, "refuses"), lookup.refuses
    for name, guard in written.guards.items():
        yield ("guards", name, "refuses"), guard.refuses
    yield ("normalise",), written.normalise
    for at, route in enumerate(facts.routes):
        yield from _of_route(route, ("routes", at))


def _of_route(route: Route, path: Path) -> Iterator[_List]:
    yield (*path, "names"), route.names or ()
    yield (*path, "requires"), route.requires
    if route.advertise != "never":
        yield (*path, "advertise"), route.advertise
    for at, entry in enumerate(route.refuse):
        for key in ("callers", "names", "when", "unless"):
            yield (*path, "refuse", at, key), getattr(entry, key) or ()
