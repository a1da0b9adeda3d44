"""A listed name isn't one that every provider sends.

What it finds: an entry of `names` that has another form than a letter or `_` and at
most 63 letters, digits, `_` and `-` behind it.

Why it matters: providers refuse the whole request for one name that they don't take,
and a dot or a colon is taken by some and not by others. Names that come from outside
the table may have them: a prefix, a glob or a split takes those.

For example:

    routes:
      - kind: calendar
        names: [calendar.update]

Choose a name that every provider takes:

    routes:
      - kind: calendar
        names: [calendar_update]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.shapes import portable

CODE: Final = "TR231"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each entry of `names` that some provider doesn't take."""
    for at, route in enumerate(facts.routes):
        for which, name in enumerate(route.names or ()):
            if portable(name) is None:
                yield Diagnostic(
                    facts.place(("routes", at, "names", which)),
                    CODE,
                    f"{quoted(name)} isn't a name that every provider takes",
                    "Write a letter or `_`, and at most 63 letters, digits, `_` and "
                    "`-` behind it.",
                )
