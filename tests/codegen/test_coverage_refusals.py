"""Which `refuse` entries refuse no call, against trying every call."""

from itertools import chain, combinations
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from judging import completed

from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.rules import foreign_name, greedy_lookup, unreachable_refusal
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.shapes import takes
from toolroute_codegen.table import RefuseEntry, Route

CALLERS = ["turn", "host"]
CAPABILITIES = ["p", "q", "r"]
NAMES = ["a", "b", "a-a", "a-b", "b-a", "b-b"]
EVERY_SET = [
    frozenset(each)
    for each in chain.from_iterable(combinations(CAPABILITIES, n) for n in range(4))
]
MANY = settings(
    max_examples=120, deadline=None, suppress_health_check=list(HealthCheck)
)


def some(values: list[str], least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), unique=True, min_size=least, max_size=2)


@st.composite
def entries(draw: st.DrawFn) -> dict[str, Any]:
    parts = {
        "callers": draw(st.none() | some(CALLERS)),
        "names": draw(st.none() | some(NAMES)),
        "when": draw(st.none() | some(CAPABILITIES)),
        "unless": draw(st.none() | some(CAPABILITIES)),
    }
    return {key: part for key, part in parts.items() if part is not None}


@st.composite
def routes(draw: st.DrawFn, *, refuse: int = 0) -> dict[str, Any]:
    match draw(st.sampled_from(["names", "prefix", "split"])):
        case "names":
            matcher: dict[str, Any] = {"names": draw(some(NAMES, 1))}
        case "prefix":
            matcher = {"prefix": draw(st.sampled_from(["a", "a-", "b"]))}
        case _:
            matcher = {"split": "-"}
    route = {**matcher, "requires": draw(some(CAPABILITIES))}
    if draw(st.booleans()):
        route["when_missing"] = "unknown_tool"
    if refuse:
        made = draw(st.lists(entries(), min_size=1, max_size=refuse))
        route["refuse"] = [{**entry, "with": "unknown_tool"} for entry in made]
    return route


def facts_of(table: list[dict[str, Any]]) -> Facts:
    """The facts of a table that is written as JSON, which is YAML too."""
    rows = [f"  - {_json({'kind': f'kind_{n}', **r})}\n" for n, r in enumerate(table)]
    sections = "capabilities: {p: {}, q: {}, r: {}}\nlookups: {l: {type: 'a:B'}}\n"
    return Facts(parse(load(completed(f"{sections}routes:\n{''.join(rows)}"), "x")))


def _json(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{k}: {_json(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_json, value)) + "]"
        case _:
            return f"'{value}'"


def ends(route: Route, present: frozenset[str]) -> bool:
    return route.lookup is None and (
        route.when_missing is not None or present.issuperset(route.requires)
    )


def gets_past(
    table: tuple[Route, ...], name: str, present: frozenset[str], before: int
) -> bool:
    return not any(ends(r, present) and takes(r, name) for r in table[:before])


def holds(entry: RefuseEntry, name: str, caller: str, present: frozenset[str]) -> bool:
    return (
        (entry.callers is None or caller in entry.callers)
        and (entry.names is None or name in entry.names)
        and (entry.when is None or all(each in present for each in entry.when))
        and (entry.unless is None or any(each not in present for each in entry.unless))
    )


def refusing(table: tuple[Route, ...], at: int) -> set[int]:
    """The entries that refuse some call, of all that there are."""
    route = table[at]
    more = ["a-c", "ac", "a-ac", "bc", "c-c"]  # what no entry names
    found: set[int] = set()
    for present in EVERY_SET:
        for name in (*NAMES, *more):
            if not takes(route, name) or not present.issuperset(route.requires):
                continue
            if gets_past(table, name, present, at):
                for caller in CALLERS:
                    held = (
                        which
                        for which, entry in enumerate(route.refuse)
                        if holds(entry, name, caller, present)
                    )
                    found.update(list(held)[:1])
    return found


@MANY
@given(st.lists(routes(), max_size=2), routes(refuse=4))
def test_an_entry_is_reported_when_it_refuses_no_call(
    before: list[dict[str, Any]], last: dict[str, Any]
) -> None:
    facts = facts_of([*before, last])
    at = len(before)
    found = list(unreachable_refusal.find(facts))
    if at in facts.unreachable:
        assert found == []
        return
    route = facts.routes[at]
    foreign = {
        which
        for which, entry in enumerate(route.refuse)
        if entry.names and not any(takes(route, name) for name in entry.names)
    }
    idle = set(range(len(route.refuse))) - refusing(facts.routes, at) - foreign
    event(f"{len(idle)} idle")
    places = [facts.place(("routes", at, "refuse", which)) for which in sorted(idle)]
    assert [each.place for each in found] == places


@MANY
@given(st.lists(routes(), max_size=2), st.data())
def test_a_lookup_is_reported_when_it_could_take_a_later_exact_name(
    others: list[dict[str, Any]], data: st.DataObject
) -> None:
    within = data.draw(st.sampled_from([None, {"prefix": "a"}, {"split": "-"}]))
    lookup: dict[str, Any] = {"lookup": "l", "requires": data.draw(some(CAPABILITIES))}
    if within:
        lookup["within"] = within
    table = [*others, data.draw(routes())]
    table.insert(data.draw(st.integers(0, len(table))), lookup)
    facts = facts_of(table)
    rows = facts.routes
    at = next(n for n, route in enumerate(rows) if route.lookup)
    could = any(
        takes(rows[at], name)
        and present.issuperset(rows[at].requires)
        and ends(later, present)
        and gets_past(rows, name, present, n)
        for present in EVERY_SET
        for n, later in enumerate(rows)
        if n > at
        for name in later.names or ()
    )
    assert len(list(greedy_lookup.find(facts))) == could


def test_a_name_that_the_route_does_not_take_is_another_rules() -> None:
    facts = facts_of([{"names": ["a"], "refuse": [{"names": ["b"], "with": "x"}]}])
    assert list(unreachable_refusal.find(facts)) == []
    assert len(list(foreign_name.find(facts))) == 1


def test_the_note_shows_the_entry_that_holds_first() -> None:
    first, second = (
        {"callers": ["host"], "with": "x"},
        {"callers": ["host"], "with": "y"},
    )
    facts = facts_of([{"prefix": "a", "refuse": [first, second]}])
    (found,) = unreachable_refusal.find(facts)
    (note,) = found.notes
    assert note.place == facts.place(("routes", 0, "refuse", 0))
    assert note.text == (
        "For `ab` called by `host` with nothing present, this one holds before it:"
    )


def test_what_is_refused_for_missing_something_gets_to_no_entry() -> None:
    before: dict[str, Any] = {"prefix": "a", "requires": ["p"]}
    last = {
        "prefix": "a",
        "requires": ["p", "q"],
        "when_missing": "unknown_tool",
        "refuse": [{"callers": ["host"], "with": "unknown_tool"}],
    }
    facts = facts_of([before, last])
    assert facts.unreachable == frozenset()
    (found,) = unreachable_refusal.find(facts)
    assert found.place == facts.place(("routes", 1, "refuse", 0))
    (note,) = found.notes
    assert note.text == (
        "`ab` called by `host` with `p` and `q` present is taken by `kind_0` here:"
    )
