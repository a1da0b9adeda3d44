"""A caller's surface as far as the table knows it, for people and for programs."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Any, Literal, final

from toolroute_codegen.cli._asking import Asking
from toolroute_codegen.cli._say import out, out_json
from toolroute_codegen.cli._words import pattern
from toolroute_codegen.names import lister_name
from toolroute_codegen.shapes import Shape, shape_of, shape_takes
from toolroute_codegen.table import RefuseEntry, Route, Written


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """A name on the surface, or a pattern of those that the host lists.

    `lists` is the host's member that lists them; `guard` may hide a name.
    """

    shown: str
    kind: str
    lists: str | None
    guard: str | None


def tell(asking: Asking, output_format: str) -> None:
    """The surface, on standard output."""
    written = asking.table.written
    first = _hiding(written, written.guard)
    offers = list(_offers(asking))
    if output_format == "json":
        out_json(_json(asking, first, offers))
        return
    if first is not None:
        out(f"Unless the guard {first} hides them:")
    width = max((len(offer.shown) for offer in offers), default=0)
    for offer in offers:
        out(f"{offer.shown:{width}}  {_note(offer)}".rstrip())


def _note(offer: Offer) -> str:
    listed = "" if offer.lists is None else f"those that {offer.lists}() gives"
    it = "it" if offer.lists is None else "one"
    hidden = "" if offer.guard is None else f"unless the guard {offer.guard} hides {it}"
    return ", ".join(filter(None, (listed, hidden)))


def _json(asking: Asking, guard: str | None, offers: list[Offer]) -> dict[str, Any]:
    return {
        "version": 1,
        "caller": asking.caller,
        "present": list(asking.present),
        "guard": guard,
        "surface": [
            {
                "name": offer.shown if offer.lists is None else None,
                "pattern": None if offer.lists is None else offer.shown,
                "kind": offer.kind,
                "lists": offer.lists,
                "guard": offer.guard,
            }
            for offer in offers
        ],
    }


def _offers(asking: Asking) -> Iterator[Offer]:
    """In the table's order: each exact name at the route that takes it."""
    written = asking.table.written
    looking = _Looking(written, asking.caller, frozenset(asking.present))
    for at, route in enumerate(written.routes):
        if not looking.advertised(route):
            continue
        guard = _hiding(written, route.guard)
        if route.names is None:
            if looking.verdict(route, None) == "taken":
                lists = lister_name(route.kind)
                yield Offer(pattern(route), route.kind, lists, guard)
            continue
        for name in route.names:
            if looking.taken_by(name) == at:
                yield Offer(name, route.kind, None, guard)


def _hiding(written: Written, guard: str | None) -> str | None:
    """`guard` where it sees the agent: one that sees the input hides nothing."""
    if guard is None or written.guards[guard].sees == "input":
        return None
    return guard


@final
class _Looking:
    """One look at the table, by a host that refuses nothing and finds nothing."""

    def __init__(self, written: Written, caller: str, present: frozenset[str]) -> None:
        self._routes = written.routes
        self._present = present
        self._caller, self._in_turn = _as_offered(written, caller)
        self._on_turn = written.callers[self._caller].road == "turn"
        self._exact: dict[str, list[int]] = {}
        self._shapes: list[tuple[int, Shape]] = []
        for at, route in enumerate(written.routes):
            for name in route.names or ():
                self._exact.setdefault(name, []).append(at)
            if route.names is None:
                self._shapes.append((at, shape_of(route)))

    def advertised(self, route: Route) -> bool:
        """Whether the route's tools stand on the surface, if they're routed."""
        return route.advertise != "never" and self._present.issuperset(route.advertise)

    def taken_by(self, name: str) -> int | None:
        """The position of the route that takes `name`, if none refuses it before."""
        shaped = [at for at, shape in self._shapes if shape_takes(shape, name)]
        for at in merge(self._exact.get(name, []), shaped):
            route = self._routes[at]
            verdict = "next" if route.lookup else self.verdict(route, name)
            if verdict != "next":
                return at if verdict == "taken" else None
        return None

    def verdict(
        self, route: Route, name: str | None
    ) -> Literal["next", "refused", "taken"]:
        """What the route says of `name`, or of all the names that it takes."""
        if not self._present.issuperset(route.requires):
            return "next" if route.when_missing is None else "refused"
        if any(self._holds(entry, name) for entry in route.refuse):
            return "refused"
        live = self._in_turn and (route.plane == "server" or self._on_turn)
        return "taken" if live or route.off_turn is None else "refused"

    def _holds(self, entry: RefuseEntry, name: str | None) -> bool:
        present = self._present.issuperset
        return (
            (entry.names is None or name in entry.names)
            and (entry.callers is None or self._caller in entry.callers)
            and (entry.when is None or present(entry.when))
            and (entry.unless is None or not present(entry.unless))
        )


def _as_offered(written: Written, caller: str) -> tuple[str, bool]:
    """Whose surface it is, and whether in a turn: a puppet has the turn's."""
    road = written.callers[caller].road
    if road != "puppet":
        return caller, road in {"turn", "script"}
    turns = (name for name, who in written.callers.items() if who.road == "turn")
    return next(turns, caller), True
