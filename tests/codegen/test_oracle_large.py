"""Ten thousand routes of few kinds: decided as the interpreter decides them."""

from random import Random
from typing import Any

from modules import imported, table_of
from tables import CAPABILITIES
from worlds import AHost, Answers, AWorld, read, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter
from toolroute_codegen.interpreter import Taken
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render

COUNT = 10_000


def large(random: Random) -> dict[str, Any]:
    """Exact names, prefixes and splits that meet, of few kinds and few steps."""
    kinds = [
        {"kind": "plain"},
        {"kind": "gated", "requires": ["gate"]},
        {"kind": "typed", "requires": ["registry", "primary"]},
        {"kind": "picky", "refuse": [{"callers": ["host"], "with": "no_way"}]},
        {"kind": "picky", "refuse": [{"unless": ["gate"], "with": "no_way"}]},
        {"kind": "guarded", "guard": "policy", "requires": ["gate"]},
    ]
    routes: list[dict[str, Any]] = []
    for at in range(COUNT):
        route = {**random.choice(kinds)}
        drawn = random.random()
        if drawn < 0.02:
            route["prefix"] = f"t{random.randrange(COUNT)}_"
        elif drawn < 0.021:
            route.update(kind="parts", split=random.choice(["--", "-"]))
            route.pop("requires", None)
        else:
            route["names"] = [
                f"t{random.randrange(COUNT)}_{random.randrange(3)}",
                f"only_{at}",
            ]
        routes.append(route)
    return {
        "version": 1,
        "callers": {"turn": {"road": "turn"}, "host": {"road": "host"}},
        "capabilities": {
            "gate": {},
            "registry": {"type": "somewhere.else_:Registry"},
            "primary": {},
        },
        "guards": {"policy": {"sees": "agent", "refuses": ["no_way"]}},
        "refusals": {
            "unknown": {"code": "X", "retry": "no", "text": "no {name}"},
            "no_way": {"code": "X", "retry": "no", "text": "no way"},
        },
        "routes": routes,
        "otherwise": "unknown",
    }


def test_ten_thousand_routes_are_decided_as_the_interpreter_does() -> None:
    random = Random(7)  # noqa: S311 - for tests
    table = table_of(large(random))
    module: Any = imported(render(plan(table)))
    taken = 0
    for _ in range(60):
        name = random.choice(
            [
                *(f"t{random.randrange(COUNT)}_{random.randrange(4)}",) * 3,
                *(f"only_{random.randrange(COUNT)}", "a--b", "stranger"),
            ]
        )
        present = frozenset(each for each in CAPABILITIES if random.random() < 0.5)
        answers = Answers(present, members={"policy": (None,)})
        call, caller = ToolCall("1", name), random.choice(["turn", "host"])
        host = AHost(answers, table.written)
        decided = seen(module.decide(call, caller, host), table)
        expected = interpreter.decide(table, call, caller, AWorld(answers))
        assert decided == read(expected)
        assert len(host.reads) == len(set(host.reads))
        taken += isinstance(expected, Taken)
    assert 10 < taken < 60
