"""The table has more than 100 kinds.

What it finds: the 101st kind, and those after it.

Why it matters: each kind is an arm of the dispatcher, and type checkers need a time
that grows with the square of the arms. Kinds are what handlers tell apart, not tools:
one can take any number of names.

For example, a table with a kind for each of its 101 tools:

    routes:
      - {kind: kind_1, names: [tool_1]}
      - {kind: kind_2, names: [tool_2]}
      # and so on, to
      - {kind: kind_101, names: [tool_101]}

Give tools that one handler can serve one kind:

    routes:
      - kind: tool
        names: [tool_1, tool_2, tool_101]
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR228"

MOST: Final = 100


def find(facts: Facts) -> Iterator[Diagnostic]:
    """The first kind that is too many."""
    for at in islice(facts.kinds.values(), MOST, MOST + 1):
        yield Diagnostic(
            facts.place(("routes", at, "kind")),
            CODE,
            f"this is the {MOST + 1}st of {len(facts.kinds)} kinds, and a table has "
            f"{MOST} at most",
            "Give routes whose calls one handler can serve one kind.",
        )
