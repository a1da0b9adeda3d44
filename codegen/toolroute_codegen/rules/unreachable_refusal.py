"""A `refuse` entry can never hold, or is never the first that does.

What it finds: an entry whose parts can't all be so in a call that gets to its route (an
`unless` whose capabilities the route or the entry itself requires, a list that is
empty), and one before which, whenever it holds, another entry of the route does, or
another route takes the call.

Why it matters: somebody wrote it to refuse calls, and it refuses none. Those calls are
let through, or told another reason.

For example:

    capabilities:
      primary: {doc: "the agent is the primary one"}
    routes:
      - kind: focus
        names: [focus]
        requires: [primary]
        refuse: [{unless: [primary], with: unknown_tool}]

Take it out, or let the route exist without what it refuses for:

    capabilities:
      primary: {doc: "the agent is the primary one"}
    routes:
      - kind: focus
        names: [focus]
        refuse: [{unless: [primary], with: unknown_tool}]
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.reach import Undecided
from toolroute_codegen.rules._calls import Call, holds
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._refusing import Refusing
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.rules.unreachable_route import place_of_matcher
from toolroute_codegen.table import RefuseEntry, Route

CODE: Final = "TR221"

_LISTS: Final = ("callers", "names", "unless")
_SHOWN: Final = 3


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each entry that refuses no call, of the routes that calls get to."""
    for at, route in enumerate(facts.routes):
        if not route.refuse or facts.reach.shapes[at] is None:
            continue
        if at not in facts.unreachable:
            with suppress(Undecided):
                yield from _in_route(facts, at, route)


def _is_of_strangers(entry: RefuseEntry, refusing: Refusing, which: int) -> bool:
    """Whether it has names or callers, and none that there is: others report that."""
    return bool(
        (entry.names and not refusing.names_of(which))
        or (entry.callers and not refusing.callers_of(which))
    )


def _in_route(facts: Facts, at: int, route: Route) -> Iterator[Diagnostic]:
    refusing = Refusing(facts.reach, at, route, tuple(facts.written.callers))
    for which, entry in enumerate(route.refuse):
        if _is_of_strangers(entry, refusing, which) or refusing.is_first(which):
            continue
        seen, notes = _why(facts, at, which, refusing)
        yield Diagnostic(
            facts.place(("routes", at, "refuse", which)),
            CODE,
            seen,
            "Take it out, or change what it or those before it ask for.",
            notes,
        )


def _why(
    facts: Facts, at: int, which: int, refusing: Refusing
) -> tuple[str, tuple[Note, ...]]:
    entry = facts.routes[at].refuse[which]
    empty = next((key for key in _LISTS if getattr(entry, key) == ()), None)
    if empty is not None:
        return f"this entry never holds: its `{empty}` lists nothing", ()
    least = refusing.least(which)
    if entry.unless is not None and least.issuperset(entry.unless):
        return "this entry never holds: all that `unless` lists is present here", ()
    notes = tuple(_earlier(facts, at, which, refusing))
    return "this entry is never the first to hold", notes


def _earlier(facts: Facts, at: int, which: int, refusing: Refusing) -> Iterator[Note]:
    """What comes before the entry, in the calls in which it holds with the least."""
    least = refusing.least(which)
    told: set[Place] = set()
    for caller in refusing.callers_of(which):
        for name in map(refusing.example, refusing.names_of(which)):
            if name is None:
                continue
            call = Call(name, caller, least)
            note = _before_it(facts, at, which, call)
            if note.place is not None and note.place not in told:
                told.add(note.place)
                yield note
            if len(told) == _SHOWN:
                return


def _before_it(facts: Facts, at: int, which: int, call: Call) -> Note:
    route = facts.routes[at]
    taker = facts.reach.first(call.name, call.present, at)
    if taker is not None:
        kind = quoted(facts.routes[taker].kind)
        return Note(f"{call} is taken by {kind} here:", place_of_matcher(facts, taker))
    earlier = (e for e in range(which) if holds(route.refuse[e], call))
    first = next(earlier, None)
    if first is None:
        return Note("")
    place = facts.place(("routes", at, "refuse", first))
    return Note(f"For {call}, this one holds before it:", place)
