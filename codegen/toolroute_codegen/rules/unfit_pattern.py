"""No name fits a prefix, a glob or a split.

What it finds: an empty `prefix` or `split`, a `glob` without exactly one `*`, and any
of them with a character that no name has, or so long that no name is longer.

Why it matters: the route takes nothing, and what it was meant for goes elsewhere.

For example:

    routes:
      - kind: channel
        glob: "channel_*_*"

Write a pattern that names can have:

    routes:
      - kind: channel
        glob: "channel_*"
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.reach import pattern_of, why_nothing_fits
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import Path, Route, Within

CODE: Final = "TR232"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each pattern that no name fits."""
    for at, route in enumerate(facts.routes):
        yield from _in(route, ("routes", at), facts)
        if route.within is not None:
            yield from _in(route.within, ("routes", at, "within"), facts)


def _in(written: Route | Within, path: Path, facts: Facts) -> Iterator[Diagnostic]:
    pattern = pattern_of(written)
    why = None if pattern is None else why_nothing_fits(*pattern)
    if pattern is not None and why is not None:
        key, text = pattern
        subject = f"the {key} {quoted(text)}" if text else f"the {key}"
        yield Diagnostic(
            facts.place((*path, key)),
            CODE,
            f"{subject} {why}",
            "Write one that fits names: those have 1 to 128 of the characters A-Z, "
            "a-z, 0-9, `_`, `-`, `.` and `:`.",
        )
