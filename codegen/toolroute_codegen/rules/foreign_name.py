"""A `refuse` entry has a name that its route doesn't take.

What it finds: a name under `names` of a `refuse` entry that the route's own matcher has
no part of.

Why it matters: the name that was meant isn't refused.

For example:

    routes:
      - kind: gate
        names: [sleep, wake]
        refuse: [{names: [slep], callers: [host], with: unknown_tool}]

Write a name that the route takes:

    routes:
      - kind: gate
        names: [sleep, wake]
        refuse: [{names: [sleep], callers: [host], with: unknown_tool}]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import meant, quoted
from toolroute_codegen.shapes import sendable, shape_takes

CODE: Final = "TR222"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each name of an entry that the route doesn't take."""
    for at, route in enumerate(facts.routes):
        shape = facts.reach.shapes[at]
        if shape is None or not route.refuse:
            continue
        for which, entry in enumerate(route.refuse):
            for place, name in enumerate(entry.names or ()):
                if sendable(name) and shape_takes(shape, name):
                    continue
                near = facts.near(name, f"route {at}", route.names or ())
                yield Diagnostic(
                    facts.place(("routes", at, "refuse", which, "names", place)),
                    CODE,
                    f"this route doesn't take {quoted(name)}, so it can't refuse it",
                    f"{meant(near)}Write a name that the route takes, or take this one "
                    "out.",
                )
