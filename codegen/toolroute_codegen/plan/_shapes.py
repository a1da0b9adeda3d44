"""Which names a route takes, as far as the plan needs to know."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, final

from toolroute.routing import AnyName, Glob, Prefix, Shape, Shapes, Split
from toolroute_codegen.table import Route, Within

_SHAPES: Final[Mapping[str, Callable[[str], Shape]]] = {
    "Prefix": Prefix,
    "Glob": Glob,
    "Split": Split,
}


def shape_of(route: Route) -> tuple[str, str]:
    """The shape of a route that doesn't name its names, and the text it's made of."""
    bounds = route.within or Within()
    if prefix := route.prefix or bounds.prefix:
        return ("Prefix", prefix)
    if glob := route.glob or bounds.glob:
        return ("Glob", glob)
    if separator := route.split or bounds.split:
        return ("Split", separator)
    return ("AnyName", "")


def _made(shape: str, text: str) -> Shape:
    return _SHAPES[shape](text) if text else AnyName()


@final
class Readings:
    """Which rows may read a capability that an earlier row has read for the same name.

    For a row with a shape any earlier row counts; whether they meet isn't asked.
    """

    def __init__(self, routes: Sequence[Route]) -> None:
        self._reads: Final = [_reads(route) for route in routes]
        self._shapes: Final = Shapes(
            (at, _made(*shape_of(route)))
            for at, route in enumerate(routes)
            if route.names is None
        )
        self._earlier: Final = set[str]()
        self._named: Final[dict[str, list[int]]] = {}

    def again(self, at: int, route: Route) -> bool:
        """Whether the row at this position does; each is asked once, in order."""
        reads = self._reads[at]
        if route.names is None:
            rereads = not reads.isdisjoint(self._earlier)
        else:
            rereads = any(
                not reads.isdisjoint(self._reads[other])
                for other in self._before(at, route.names)
            )
        self._earlier.update(reads)
        return rereads

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
