"""A key is there twice in one mapping.

What it finds: the second of two equal keys, and every one after it.

Why it matters: most readers of YAML keep the last and say nothing, so that a refusal, a
capability or a route's `requires` is replaced without a trace.

For example:

    routes:
      - kind: think
        names: [think]
        names: [journal]

Keep one of them, or bring both together:

    routes:
      - kind: think
        names: [think, journal]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR007"


def duplicate_key(key: str, place: Place, first: Place) -> Diagnostic:
    """A key that is already there."""
    return Diagnostic(
        place,
        CODE,
        f"the key {quoted(key)} is there twice",
        "Keep one of them, or bring both together.",
        (Note("It is here first:", first),),
    )
