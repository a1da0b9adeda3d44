"""Routes that share a kind carry different things.

What it finds: a route whose `requires`, `ends_turn` or `plane` isn't that of the first
route with its kind, or from whose match something else is learnt: a lookup's target,
the two parts of a split, or nothing.

Why it matters: a kind is one class, and its handler is promised what the class has: an
object for each capability that's required, a target, the parts.

For example:

    capabilities:
      event_gate: {doc: "the gate", type: "host.gate:EventGate"}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
      - kind: wake
        names: [wake_add_rule]

Make them alike, or give one a kind of its own:

    capabilities:
      event_gate: {doc: "the gate", type: "host.gate:EventGate"}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
      - kind: wake_rule
        names: [wake_add_rule]
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from toolroute_codegen.diagnostics import Diagnostic, Note
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import Route

CODE: Final = "TR227"

_Carried: TypeAlias = dict[str, object]


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each route that carries something else than the first one of its kind."""
    carried: dict[str, _Carried] = {}
    for at, route in enumerate(facts.routes):
        first = facts.kinds[route.kind]
        own = _carried(route, facts)
        if first == at:
            carried[route.kind] = own
            continue
        differs = [
            key for key, value in carried[route.kind].items() if own[key] != value
        ]
        if differs:
            yield Diagnostic(
                facts.place(("routes", at, "kind")),
                CODE,
                f"this route has the kind {quoted(route.kind)}, but not the "
                f"{' or the '.join(differs)} of the first with it",
                "Make them alike, or give this route a kind of its own.",
                (Note("The first is here:", facts.place(("routes", first, "kind"))),),
            )


def _carried(route: Route, facts: Facts) -> _Carried:
    return {
        "`requires`": frozenset(route.requires),
        "`ends_turn`": route.ends_turn,
        "`plane`": route.plane,
        "matcher": _learnt(route, facts),
    }


def _learnt(route: Route, facts: Facts) -> object:
    """What a match tells the handler."""
    if route.split is not None:
        return "the parts"
    lookup = facts.written.lookups.get(route.lookup or "")
    return None if lookup is None else ("a target", lookup.type)
