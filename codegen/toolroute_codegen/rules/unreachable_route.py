"""No call gets to a route: those before it take them all.

What it finds: a route all of whose names earlier routes take, whether by exact names,
prefixes, globs, splits or several of them together. Each route is tested with exactly
the capabilities that it requires (with none, if it has `when_missing`), so an earlier
route counts only where it is there whenever this one is. A guard, a refusal, an unwrap
and `when_missing` end the search for a route; a lookup doesn't, since it may find
nothing. Routes that merely overlap aren't reported, and neither is what would take too
long to decide: that takes hundreds of patterns that cover others only together.

Why it matters: the route's handler is never run, and its refusals never hold. A check
that was written for these calls isn't made.

For example:

    routes:
      - kind: channel
        prefix: channel_
      - kind: publish
        names: [channel_publish]

Put the narrow route before the wide one:

    routes:
      - kind: publish
        names: [channel_publish]
      - kind: channel
        prefix: channel_
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.reach import Present
from toolroute_codegen.rules._calls import Call, answer_of
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import all_quoted, quoted
from toolroute_codegen.table import Route

CODE: Final = "TR203"

_FEW: Final = 64
"""Routes before one that are all looked at for a call that is answered differently."""

_SHOWN: Final = 8
"""Covering routes that are shown; the others are counted."""


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each route that no call gets to. What is too hard to decide isn't reported."""
    for at in sorted(facts.unreachable):
        yield _unreachable(facts, at)


def place_of_matcher(facts: Facts, at: int) -> Place:
    """Where a route says which names it takes."""
    route = facts.routes[at]
    matchers = ("names", "prefix", "glob", "split", "lookup")
    key = next(key for key in matchers if getattr(route, key) is not None)
    return facts.place(("routes", at, key))


def _unreachable(facts: Facts, at: int) -> Diagnostic:
    present = facts.reach.least(at)
    takers = facts.reach.takers(at, present)
    named = dict.fromkeys(facts.routes[each].kind for each in takers)
    kinds = all_quoted(named, _SHOWN)
    several = len(takers) > 1
    return Diagnostic(
        place_of_matcher(facts, at),
        CODE,
        f"no call gets to this route: {kinds} before it "
        f"{'take' if several else 'takes'} them all",
        f"Move it before {'those' if several else 'that'}, or take it out.",
        (*_covering(facts, takers), _witness(facts, at, takers, present)),
    )


def _covering(facts: Facts, takers: list[int]) -> Iterator[Note]:
    which = "some of them" if len(takers) > 1 else "them"
    for taker in islice(takers, _SHOWN):
        kind = quoted(facts.routes[taker].kind)
        yield Note(f"{kind} takes {which} here:", place_of_matcher(facts, taker))
    if len(takers) > _SHOWN:
        yield Note(f"So do {len(takers) - _SHOWN} more routes.")


def _witness(facts: Facts, at: int, takers: list[int], present: Present) -> Note:
    """A call that shows it: one that the two routes answer differently, if there is."""
    route = facts.routes[at]
    calls = list(_calls(facts, at, takers, present))
    others = range(at) if at < _FEW else ()
    more = chain(calls, _calls(facts, at, others, present))
    differ = (each for each in more if _differ(*each, route, facts))
    call, first = next(differ, calls[0])
    there = answer_of(first, call, facts.written)
    here = answer_of(route, call, facts.written)
    if there == here:
        return Note(f"For example, {call} {there}, and so it would here.")
    return Note(f"For example, {call} {there}; here it {here.supposed()}.")


def _calls(
    facts: Facts, at: int, takers: Iterable[int], present: Present
) -> Iterator[tuple[Call, Route]]:
    """Calls that this route could have, each with the route that takes it."""
    for name in facts.reach.examples(at, takers, present):
        first = facts.reach.first(name, present, at)
        if first is not None:
            for caller in facts.written.callers:
                yield Call(name, caller, present), facts.routes[first]


def _differ(call: Call, first: Route, route: Route, facts: Facts) -> bool:
    written = facts.written
    return answer_of(first, call, written) != answer_of(route, call, written)
