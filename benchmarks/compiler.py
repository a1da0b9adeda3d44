"""What deciding, dispatching, importing, checking and building cost.

python benchmarks/compiler.py

The calls are measured against a function that does one `dict.get`, in turn with it in
one run; the median of the pairs' ratios counts. `check` is in seconds, start-up
included, and the import in milliseconds beyond importing `toolroute`: processor time,
the best of several processes. Building is measured against composing the same YAML with
the C loader. Exits 1 where a figure is over its limit.
"""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import yaml

from toolroute import ToolCall
from toolroute_codegen.compile import compile_table
from toolroute_host import dispatch as root

ROOT: Final = Path(__file__).parents[1]
PAIRS: Final = 31
CALLS: Final = 20_000
PLAIN_HOST: Final = type("Host", (), {})()


class Figure(NamedTuple):
    """What was measured, and what it may be at most."""

    what: str
    value: float
    limit: float


class Handlers:
    """Gives back the route: a handler that costs next to nothing."""

    def __getattr__(self, kind: str) -> Callable[[Any, Any], Any]:
        def handler(route: Any, context: object) -> Any:
            del context
            return route

        setattr(self, kind, handler)
        return handler


def module_of(names: int) -> ModuleType:
    """A module of this many exact names, ten to a route."""
    routes = [
        {"kind": "tool", "names": [f"tool_{at + one}" for one in range(min(10, names))]}
        for at in range(0, names, 10)
    ]
    return imported(compile_table(as_yaml(routes), "bench.yaml"))


def as_yaml(routes: Sequence[dict[str, Any]], **more: Any) -> str:
    """A table without guards around these routes."""
    return yaml.dump(
        {
            "version": 1,
            "callers": {"turn": {"road": "turn"}},
            "refusals": {
                "unknown": {"code": "NONE", "retry": "no", "text": "no tool {name}"}
            },
            "otherwise": "unknown",
            **more,
            "routes": list(routes),
        },
        Dumper=yaml.CSafeDumper,
        sort_keys=False,
    )


def imported(text: str) -> ModuleType:
    """A module with this text."""
    module = ModuleType("bench")
    exec(compile(text, "<bench>", "exec"), module.__dict__)  # noqa: S102 - our own
    return module


def fresh(names: Sequence[str], seed: int) -> list[ToolCall]:
    """Calls of these names, shuffled, whose strings were made for them alone."""
    order = random.Random(seed)  # noqa: S311 - not a secret
    chosen = [order.choice(names) for _ in range(CALLS)]
    return [ToolCall("id", "".join(list(name)), {}) for name in chosen]


def each(act: Callable[[Any], object], given: Sequence[Any]) -> float:
    """Processor seconds for one of these."""
    started = time.process_time()
    for one in given:
        act(one)
    return (time.process_time() - started) / len(given)


def ratio(
    act: Callable[[ToolCall], object], names: Sequence[str], table: dict[str, int]
) -> float:
    """Of `act` to a function that does one `dict.get`, on the same names."""

    def get(name: str) -> int | None:
        return table.get(name)

    def pairs() -> Iterator[float]:
        for seed in range(PAIRS):
            base = each(get, [call.name for call in fresh(names, seed)])
            yield each(act, fresh(names, seed)) / base

    return statistics.median(pairs())


def deciding(module: ModuleType, names: Sequence[str]) -> float:
    """The ratio of the module's `decide` on these names."""
    decide = module.decide
    table = dict.fromkeys(names, 1)
    return ratio(lambda call: decide(call, "turn", PLAIN_HOST), names, table)


def calls() -> Iterator[Figure]:
    """What a decision and a dispatch cost."""
    flat: dict[int, float] = {}
    for count in (21, 100_000):
        names = [f"tool_{at}" for at in range(count)]
        flat[count] = deciding(module_of(count), names)
    yield Figure("decide on a hit, 21 names", flat[21], 12)
    yield Figure("decide on a hit, 100,000 names", flat[100_000], 12)
    yield Figure("flat from 21 to 100,000 names", flat[100_000] / flat[21], 1.3)
    strangers = [f"stranger_{at}" for at in range(CALLS)]
    yield Figure("decide on a refusal", deciding(module_of(21), strangers), 30)
    yield Figure("dispatch on the last of 21 arms", dispatching(), 20)


def dispatching() -> float:
    """The ratio of `dispatch` on the last arm of 21."""
    kinds = [f"kind_{at}" for at in range(21)]
    table = as_yaml([{"kind": kind, "names": [kind]} for kind in kinds])
    module = imported(compile_table(table, "bench.yaml"))
    last = module.decide(ToolCall("id", kinds[-1], {}), "turn", PLAIN_HOST)
    dispatch, handlers = module.dispatch, Handlers()
    assert dispatch(last, None, handlers) is last  # noqa: S101 - what is measured
    get = dict.fromkeys(kinds, 1)
    return ratio(lambda _: dispatch(last, None, handlers), kinds, get)


def best(code: str, times: int = 9) -> float:
    """What a Python process prints last when it runs this, compiled before, at best."""
    run = [sys.executable, "-c", code]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    ran = [
        subprocess.run(
            run, check=True, cwd=ROOT, env=env, capture_output=True, text=True
        )
        for _ in range(times)
    ]
    return min(float(one.stdout.split()[-1]) for one in ran)


def starts() -> Iterator[Figure]:
    """What starting costs, in processor time, which a busy machine doesn't change."""
    module = best(
        "import time, toolroute; start = time.process_time(); "
        "import toolroute_host.dispatch; print(time.process_time() - start)"
    )
    kinds = len(root.ORDER)
    yield Figure(f"importing the {kinds}-kind module, ms", module * 1000, 8)
    check = best(
        "import time; from toolroute.__main__ import main; main(['check']); "
        "print(time.process_time())"
    )
    yield Figure("toolroute check on the root table, s", check, 0.4)


def builds() -> Iterator[Figure]:
    """What building costs, against composing the same YAML."""
    took: dict[int, float] = {}
    for count in (2_500, 10_000):
        text = as_yaml(
            [{"kind": f"k{at % 5}", "names": [f"tool_{at}"]} for at in range(count)]
        )
        ratios, built = [], []
        for _ in range(5):
            started = time.process_time()
            yaml.compose(text, Loader=yaml.CSafeLoader)
            composed = time.process_time()
            compile_table(text, "bench.yaml")
            built.append(time.process_time() - composed)
            ratios.append(built[-1] / (composed - started))
        took[count] = min(built) / count
        if count == 10_000:  # noqa: PLR2004 - the larger of the two
            median = statistics.median(ratios)
            yield Figure("building 10,000 routes, against composing", median, 3)
    yield Figure(
        "a route's cost, 10,000 against 2,500", took[10_000] / took[2_500], 1.3
    )


def main() -> int:
    """Print each figure beside its limit."""
    over = 0
    for figures in (calls, starts, builds):
        for what, value, limit in figures():
            over += value > limit
            mark = "OVER" if value > limit else "ok"
            print(f"{what:45} {value:8.2f}  at most {limit:g}  {mark}", flush=True)
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
