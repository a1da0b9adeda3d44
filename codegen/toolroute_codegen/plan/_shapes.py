"""Which names a route takes, as far as the plan needs to know."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never, final

from toolroute.routing import AnyName, Glob, Prefix, Shape, Shapes, Split
from toolroute_codegen import shapes
from toolroute_codegen.shapes import shape_of
from toolroute_codegen.table import Route


def written_shape(route: Route) -> tuple[str, str]:
    """The class that the module makes of a route's shape, and the text it's made of."""
    shape = shape_of(route)
    match shape:
        case shapes.Prefix(head=head):
            return ("Prefix", head)
        case shapes.Glob(head=head, tail=tail):
            return ("Glob", f"{head}*{tail}")
        case shapes.Split(separator=separator):
            return ("Split", separator)
        case shapes.AnyName():
            return ("AnyName", "")
        case shapes.Names():
            raise AssertionError("names aren't a pattern")
        case _:
            assert_never(shape)


def _made(route: Route) -> Shape:
    name, text = written_shape(route)
    match name:
        case "Prefix":
            return Prefix(text)
        case "Glob":
            return Glob(text)
        case "Split":
            return Split(text)
        case _:
            return AnyName()


@final
class Readings:
    """Which rows may read a capability that an earlier row has read for the same name.

    For a row with a shape any earlier row counts; whether they meet isn't asked. A row
    that reads the call inside another may go on to read anything.
    """

    def __init__(self, routes: Sequence[Route]) -> None:
        self._reads: Final = [_reads(route) for route in routes]
        self._shapes: Final = Shapes(
            (at, _made(route)) for at, route in enumerate(routes) if route.names is None
        )
        self._earlier: Final = set[str]()
        self._named: Final[dict[str, list[int]]] = {}

    def again(self, at: int, route: Route) -> bool:
        """Whether the row at this position does; each is asked once, in order."""
        reads = self._reads[at]
        if route.names is None:
            earlier = set(self._earlier)
        else:
            before = self._before(at, route.names)
            earlier = {each for other in before for each in self._reads[other]}
        self._earlier.update(reads)
        return bool(earlier) if route.unwrap else not earlier.isdisjoint(reads)

    def _before(self, at: int, names: Iterable[str]) -> Iterable[int]:
        for name in names:
            named = self._named.setdefault(name, [])
            yield from named
            named.append(at)
            yield from (each for each in self._shapes.taking(name) if each < at)


def _reads(route: Route) -> set[str]:
    reads = set(route.requires)
    for entry in route.refuse:
        reads.update(entry.when or (), entry.unless or ())
    return reads
