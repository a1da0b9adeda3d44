"""Which routes no call gets to, against trying every name of a small alphabet."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from toolroute_codegen import reach
from toolroute_codegen.reach import Reach, Undecided, _covers, _machines
from toolroute_codegen.reach._covers import Covers
from toolroute_codegen.reach._machines import Budget, machine_of, shortest
from toolroute_codegen.shapes import (
    ALPHABET,
    LONGEST_NAME,
    AnyName,
    Glob,
    Names,
    Prefix,
    Shape,
    Split,
    sendable,
    shape_takes,
    takes,
)
from toolroute_codegen.table import Route, Within

MANY = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@cache
def small_names() -> list[str]:
    """Every name of up to six characters that the patterns below can tell apart."""
    return [
        *("".join(each) for n in range(1, 7) for each in product("a-z", repeat=n)),
        *("".join(each) for n in range(1, 5) for each in product("ab-z", repeat=n)),
    ]


def texts(least: int) -> st.SearchStrategy[str]:
    return st.text("a-", min_size=least, max_size=3) | st.text(
        "ab-", min_size=least, max_size=2
    )


@st.composite
def matchers(draw: st.DrawFn) -> dict[str, Any]:
    key = draw(
        st.sampled_from(["names", "prefix", "prefix", "glob", "split", "lookup"])
    )
    match key:
        case "names":
            return {"names": tuple(draw(st.lists(texts(1), min_size=1, max_size=4)))}
        case "glob":
            return {"glob": f"{draw(texts(0))}*{draw(texts(0))}"}
        case "lookup":
            within = draw(st.none() | texts(1).map(lambda text: Within(split=text)))
            return {"lookup": "lookup", "within": within}
        case _:
            return {key: draw(texts(1))}


@st.composite
def routes(draw: st.DrawFn) -> Route:
    matcher = draw(matchers())
    can_refuse = "lookup" not in matcher
    return Route(
        kind="kind",
        requires=tuple(draw(st.lists(st.sampled_from("PQ"), unique=True, max_size=2))),
        when_missing=draw(st.sampled_from([None, None, "r"])) if can_refuse else None,
        **matcher,
    )


def ends(route: Route, present: frozenset[str]) -> bool:
    """Whether the search ends with this route, for what its shape takes."""
    return route.lookup is None and (
        route.when_missing is not None or present.issuperset(route.requires)
    )


def first(
    routes: Sequence[Route], name: str, present: frozenset[str], before: int
) -> int | None:
    each = (at for at in range(before) if ends(routes[at], present))
    return next((at for at in each if takes(routes[at], name)), None)


@MANY
@given(st.lists(routes(), min_size=2, max_size=6))
def test_a_route_is_unreachable_when_no_name_gets_to_it(table: list[Route]) -> None:
    found = Reach(table)
    for at, route in enumerate(table):
        needs = () if route.when_missing is not None else route.requires
        present = frozenset(needs)
        assert found.least(at) == present
        left = found.untaken(at, present)
        if left is not None:
            assert sendable(left)
            assert takes(route, left)
            assert first(table, left, present, at) is None
            continue
        event("unreachable")
        of_it = [name for name in small_names() if takes(route, name)]
        assert all(first(table, name, present, at) is not None for name in of_it)
        takers = found.takers(at, present)
        assert all(any(takes(table[e], name) for e in takers) for name in of_it)
        assert_none_is_idle(found, at, takers)
        for name in found.examples(at, takers, present):
            assert takes(route, name)
            assert first(table, name, present, at) is not None


def assert_none_is_idle(found: Reach, at: int, takers: list[int]) -> None:
    shape = found.shapes[at]
    for taker in takers if not isinstance(shape, Names) else []:
        others = [found.shapes[each] for each in takers if each != taker]
        assert shape is not None
        assert Covers().left_of(shape, [each for each in others if each]) is not None


@MANY
@given(st.lists(routes(), min_size=1, max_size=5), st.sampled_from(small_names()))
def test_the_first_route_that_takes_a_name_is_found_in_the_index(
    table: list[Route], name: str
) -> None:
    found = Reach(table)
    for present in (frozenset[str](), frozenset("P"), frozenset("PQ")):
        for before in range(len(table) + 1):
            assert found.first(name, present, before) == first(
                table, name, present, before
            )


SHAPES = (
    texts(1).map(Prefix)
    | st.tuples(texts(0), texts(0)).map(lambda both: Glob(*both))
    | texts(1).map(Split)
    | st.lists(texts(1), max_size=4).map(lambda names: Names(tuple(names)))
    | st.just(AnyName())
)


@MANY
@given(SHAPES)
def test_an_automaton_takes_the_names_that_its_shape_does(shape: Shape) -> None:
    machine = machine_of(shape)
    for name in small_names()[::7]:
        state, ever = 0, False
        for character in name:
            state = machine.after(state, character) if state != -1 else -1
            ever = ever or state in machine.ever
        assert (ever or state in machine.taken) == shape_takes(shape, name)


@MANY
@given(SHAPES, st.lists(SHAPES, max_size=4))
def test_what_is_left_of_a_shape_is_its_shortest_name(
    shape: Shape, others: list[Shape]
) -> None:
    left = shortest([machine_of(shape)], list(map(machine_of, others)), Budget())
    wanted = [
        name
        for name in small_names()
        if shape_takes(shape, name)
        and not any(shape_takes(each, name) for each in others)
    ]
    if left is None or len(left) > len(small_names()[-1]):
        assert not [name for name in wanted if left is None or len(name) < len(left)]
    else:
        assert shape_takes(shape, left)
        assert not any(shape_takes(each, left) for each in others)
        assert len(left) <= min(map(len, wanted), default=LONGEST_NAME)


def table_of(*matchers: dict[str, Any]) -> list[Route]:
    return [Route(kind="kind", **matcher) for matcher in matchers]


@pytest.mark.parametrize(
    ("earlier", "matcher"),
    [
        ([{"split": "-"}, {"prefix": "-"}], {"split": "--"}),
        (
            [{"prefix": each} for each in ALPHABET],
            {"glob": "*xy"},
        ),
        ([{"prefix": f"a{each}"} for each in ALPHABET], {"glob": "a*b"}),
        ([{"glob": f"*{each}"} for each in ALPHABET], {"prefix": "ab"}),
        ([{"prefix": "a" * 127}], {"prefix": "a" * 127}),
        (
            [{"glob": f"{'a' * 126}*{each}"} for each in ALPHABET]
            + [{"names": (f"{'a' * 126}{each}",)} for each in ALPHABET],
            {"prefix": "a" * 126},
        ),
    ],
    ids=["both", "by first", "by second", "by last", "longest", "names and globs"],
)
def test_several_together_cover_one(
    earlier: list[dict[str, Any]], matcher: dict[str, Any]
) -> None:
    table = table_of(*earlier, matcher)
    found = Reach(table)
    at = len(earlier)
    assert found.untaken(at, frozenset()) is None
    for without in {0, at // 2, at - 1} if at > 1 else ():
        fewer = [*table[:without], *table[without + 1 :]]
        assert Reach(fewer).untaken(at - 1, frozenset()) is not None


def test_a_name_that_is_too_long_for_every_provider_leaves_nothing_open() -> None:
    head = "a" * (LONGEST_NAME - 1)
    longest = tuple(f"{head}{each}" for each in ALPHABET)
    table = table_of({"names": longest}, {"prefix": head}, {"prefix": head[1:]})
    found = Reach(table)
    assert found.untaken(1, frozenset()) is None
    assert found.untaken(2, frozenset()) == f"{head[1:]}b"


def test_a_lookup_takes_nothing_for_certain() -> None:
    table = table_of({"lookup": "lookup"}, {"names": ("a",)})
    assert Reach(table).untaken(1, frozenset()) == "a"


def test_wide_routes_are_told_from_ten_thousand_narrow_ones_without_automata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("an automaton was made")

    monkeypatch.setattr(_covers, "shortest", never)
    narrow = [{"prefix": f"tool_{n}_"} for n in range(5_000)]
    names = [{"names": (f"name_{n}", f"other_{n}")} for n in range(5_000)]
    wide = [{"prefix": "tool_"}, {"split": "--"}, {"glob": "*_end"}, {"glob": "*"}]
    table = table_of(*narrow, *names, *wide)
    found = Reach(table)
    assert all(found.untaken(at, found.least(at)) for at in range(len(table)))


def test_ten_thousand_routes_behind_a_wide_one_are_covered_without_automata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("an automaton was made")

    monkeypatch.setattr(_covers, "shortest", never)
    narrow = [{"prefix": f"tool_{n}_"} for n in range(5_000)]
    names = [{"names": (f"tool_{n}",)} for n in range(5_000)]
    table = table_of({"prefix": "tool_"}, *narrow, *names)
    found = Reach(table)
    covered = [at for at in range(len(table)) if found.untaken(at, frozenset()) is None]
    assert covered == list(range(1, len(table)))
    assert {tuple(found.takers(at, frozenset())) for at in covered} == {(0,)}


def test_what_would_take_too_long_is_left_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(*({"glob": f"*{each}"} for each in ALPHABET), {"prefix": "ab"})
    at, nothing = len(table) - 1, frozenset[str]()
    assert Reach(table).untaken(at, nothing) is None
    assert Reach(table).takers(at, nothing) == list(range(at))
    monkeypatch.setattr(_machines, "MOST_STEPS", 1_000)
    hurried = Reach(table)
    with pytest.raises(Undecided):
        hurried.untaken(at, nothing)
    assert hurried.takers(at, nothing) == [2, 3, 4]
    assert hurried.examples(at, [2, 3, 4], nothing) == ["abc"]


def test_the_package_says_what_it_gives() -> None:
    assert reach.__all__ == sorted(reach.__all__)
