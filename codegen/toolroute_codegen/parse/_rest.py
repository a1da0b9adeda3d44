"""What the keys and their types can't say of a table's shape."""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.load import Content, Document
from toolroute_codegen.parse._meant import meant_in
from toolroute_codegen.parse._where import named
from toolroute_codegen.rules.not_one_matcher import no_matcher, several_matchers
from toolroute_codegen.rules.nothing_listed import nothing_listed
from toolroute_codegen.rules.stray_within import stray_within
from toolroute_codegen.table import Node, Path, Route, Within

MATCHERS: Final = ("names", "prefix", "glob", "split", "lookup")
PATTERNS: Final = ("prefix", "glob", "split")


def rest(document: Document) -> Iterator[Diagnostic]:
    """Findings in what is well-shaped enough to be looked at."""
    content, places = document.content, document.places
    if not isinstance(content, dict):
        return
    for key in ("callers", "refusals", "routes"):
        if content.get(key) in ((), {}):
            yield nothing_listed(key, places.of_key((key,)))
    routes = content.get("routes")
    if isinstance(routes, tuple):
        for position, route in enumerate(routes):
            if isinstance(route, dict):
                yield from _in_route(route, ("routes", position), document)


def _in_route(
    route: dict[str, Content], path: Path, document: Document
) -> Iterator[Diagnostic]:
    yield from _one_of(MATCHERS, route, Route, path, document)
    if route.get("names") == ():
        yield nothing_listed("names", document.places.of_key((*path, "names")))
    within = route.get("within")
    if within is None:
        return
    if "lookup" not in route:
        yield stray_within(document.places.of_key((*path, "within")))
    elif isinstance(within, dict):
        yield from _one_of(PATTERNS, within, Within, (*path, "within"), document)


def _one_of(
    keys: tuple[str, ...],
    owner: dict[str, Content],
    model: type[Node],
    path: Path,
    document: Document,
) -> Iterator[Diagnostic]:
    there = [key for key in owner if key in keys]
    if not there and meant_in(owner, model).isdisjoint(keys):
        yield no_matcher(named(path), keys, document.places.of_key(path))
    if len(there) > 1:
        second = document.places.of_key((*path, there[1]))
        yield several_matchers(named(path), there, second)
