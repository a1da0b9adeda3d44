"""Ten thousand routes of few kinds decide as the interpreter does."""

from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from modules import imported, table_of, text_of
from tables import answers, tables
from worlds import AHost, AWorld, read, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter

ROUTES = 10_000
ASKED = 40


def grown(written: dict[str, Any], random: Random) -> dict[str, Any]:
    """This table with its own routes many times over, under names that are theirs."""
    routes = list(written["routes"])
    for at in range(ROUTES - len(routes)):
        route = dict(random.choice(written["routes"]))
        if "names" in route:
            names = {name: f"{name[:9]}_{at}" for name in route["names"]}
            route["names"] = list(names.values())
            route["refuse"] = [
                {**entry, "names": [names.get(name, name) for name in entry["names"]]}
                if "names" in entry
                else entry
                for entry in route.get("refuse", ())
            ]
        elif "prefix" in route:
            route["prefix"] = f"p{at}_"
        elif "glob" in route:
            route["glob"] = f"g{at}*z"
        else:
            continue
        routes.insert(random.randrange(len(routes)), route)
    return {**written, "routes": routes}


@settings(deadline=None, max_examples=2, phases=[Phase.generate])
@given(written=tables(), seed=st.integers(0, 2**32))
def test_ten_thousand_routes_decide_as_the_interpreter_does(
    written: dict[str, Any], seed: int
) -> None:
    random = Random(seed)  # noqa: S311 - for tests
    large = grown(written, random)
    table, module = table_of(large), imported(text_of(large))
    answered = answers(large, random)
    host, world = AHost(answered, table.written), AWorld(answered)
    named = [name for route in large["routes"] for name in route.get("names", ())]
    at = random.randrange(ROUTES)
    near = [f"p{at}_x", f"g{at}yz", f"p{at}_", f"a{at}--b", "nothing", ""]
    for name in [*random.choices(named or near, k=ASKED), *near]:
        call = ToolCall("id", name, {})
        for caller in table.written.callers:
            decided = seen(module.decide(call, caller, host), table)
            assert decided == read(interpreter.decide(table, call, caller, world))
