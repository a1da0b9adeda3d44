"""Ten thousand routes of few kinds: decided as the interpreter decides them."""

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from modules import imported, table_of, text_of
from tables import answers, tables
from worlds import AHost, AWorld, read, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter

ROUTES = 10_000
ASKED = 60
ENDINGS = 2_000


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Iterator[None]:
    """Hosts raise here, and each time that is logged."""
    logging.getLogger("toolroute").disabled = True
    yield
    logging.getLogger("toolroute").disabled = False


def grown(written: dict[str, Any], random: Random) -> dict[str, Any]:
    """This table with its routes many times over, under names and heads that meet."""
    routes = list(written["routes"])
    some = [route for route in routes if not route.keys().isdisjoint(_RENAMED)]
    some = some or [{"kind": "plain", "names": ["plain"]}]
    while len(routes) < ROUTES:
        renamed = _renamed(random.choice(some), random)
        routes.insert(random.randrange(len(routes) + 1), renamed)
    return {**written, "routes": routes, "refusals": {**written["refusals"], **PLAIN}}


PLAIN = {"unknown": {"code": "NO_SUCH_TOOL", "retry": "no", "text": "no {name}"}}
"""Without `{near}`: for that the interpreter would look at each of the names."""


_RENAMED = ("names", "prefix", "glob")


def _renamed(route: dict[str, Any], random: Random) -> dict[str, Any]:
    """The route for other names, of which other routes have some too."""
    ending = random.randrange(ENDINGS)
    if "prefix" in route:
        return {**route, "prefix": f"a_{ending}_"}
    if "glob" in route:
        return {**route, "glob": f"a_{ending}*0"}
    names = {name: f"a_{ending}_{at}" for at, name in enumerate(route["names"])}
    entries = [
        {**entry, "names": [names.get(name, name) for name in entry["names"]]}
        if "names" in entry
        else entry
        for entry in route.get("refuse", ())
    ]
    return {**route, "names": [*names.values()], "refuse": entries}


@settings(deadline=None, max_examples=2, phases=[Phase.generate])
@given(written=tables(), seed=st.integers(0, 2**32))
def test_ten_thousand_routes_are_decided_as_the_interpreter_does(
    written: dict[str, Any], seed: int
) -> None:
    random = Random(seed)  # noqa: S311 - for tests
    large = grown(written, random)
    assert len(large["routes"]) == ROUTES
    table, module = table_of(large), imported(text_of(large))
    for _ in range(ASKED):
        answered = answers(written, random)
        host, world = AHost(answered, table.written), AWorld(answered)
        name, caller = _asked(random), random.choice(list(table.written.callers))
        call = ToolCall("id", name, {"of": "the call"})
        decided = seen(module.decide(call, caller, host), table)
        assert decided == read(interpreter.decide(table, call, caller, world))
        assert host.asked == world.asked
        assert len(host.reads) == len(set(host.reads))


def _asked(random: Random) -> str:
    """A name that several routes take, or nearly."""
    ending = random.randrange(ENDINGS)
    shapes = ("a_{}_0", "a_{}_1", "a_{}_x", "a_{}_", "a_{0}_{0}", "a--b_{}", "A_{}_0")
    return random.choice(shapes).format(ending)
