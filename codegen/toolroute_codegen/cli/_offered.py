"""A caller's surface as far as the table knows it, for people and for programs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from toolroute import ToolCall
from toolroute_codegen.cli._asking import Asking
from toolroute_codegen.cli._say import out, out_json
from toolroute_codegen.cli._words import pattern
from toolroute_codegen.interpreter import Taken, decide, surface
from toolroute_codegen.names import lister_name
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
    hidden = "" if offer.guard is None else f"unless the guard {offer.guard} hides it"
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
    """In the table's order: each exact name by the route that takes it."""
    written = asking.table.written
    caller, in_turn = _as_offered(written, asking.caller)
    world = _Willing(asking.present)
    names: dict[int, list[str]] = {}
    for name in surface(asking.table, asking.caller, world):
        taken = decide(asking.table, ToolCall("", name), caller, world, in_turn)
        if isinstance(taken, Taken):
            names.setdefault(taken.route, []).append(name)
    for at, route in enumerate(written.routes):
        guard = _hiding(written, route.guard)
        if route.names is None and _stands(route, caller, asking.present, in_turn):
            lists = lister_name(route.kind)
            yield Offer(pattern(route), route.kind, lists, guard)
        for name in names.get(at, ()):
            yield Offer(name, route.kind, None, guard)


def _hiding(written: Written, guard: str | None) -> str | None:
    """`guard` where it sees the agent: one that sees the input hides nothing."""
    if guard is None or written.guards[guard].sees == "input":
        return None
    return guard


def _as_offered(written: Written, caller: str) -> tuple[str, bool]:
    """Whose surface it is, and whether in a turn: a puppet has the turn's."""
    road = written.callers[caller].road
    if road != "puppet":
        return caller, road in {"turn", "script"}
    turns = (name for name, who in written.callers.items() if who.road == "turn")
    return next(turns, caller), True


def _stands(
    route: Route,
    caller: str,
    present: tuple[str, ...],
    in_turn: bool,  # noqa: FBT001
) -> bool:
    """Whether some name of a pattern's can be on the surface."""
    if route.advertise == "never":
        return False
    if not {*route.advertise, *route.requires}.issubset(present):
        return False
    if route.off_turn is not None and not in_turn:
        return False
    return not any(_holds(entry, caller, present) for entry in route.refuse)


def _holds(entry: RefuseEntry, caller: str, present: tuple[str, ...]) -> bool:
    """Whether the entry refuses this caller under every name."""
    return (
        entry.names is None
        and (entry.callers is None or caller in entry.callers)
        and (entry.when is None or set(entry.when).issubset(present))
        and (entry.unless is None or not set(entry.unless).issubset(present))
    )


@final
@dataclass(frozen=True, slots=True)
class _Willing:
    """A host that refuses nothing, finds nothing and lists nothing."""

    present: tuple[str, ...]

    def has(self, capability: str) -> bool:
        return capability in self.present

    def lookup(self, lookup: str, name: str) -> None:
        """Nothing."""

    def guard(self, guard: str, call: ToolCall, caller: str) -> None:
        """Nothing against it."""

    def unwrap(self, unwrap: str, call: ToolCall) -> None:
        """Nothing inside."""

    def listed(self, kind: str) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return ()
