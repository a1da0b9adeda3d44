"""A list or mapping is empty where that leaves nothing to work with.

What it finds: no callers, no refusals, no routes; a route with no names.

Why it matters: without callers nobody can call; a route without names takes nothing.

For example:

    routes:
      - kind: think
        names: []

Write what belongs there, or take the key's owner out:

    routes:
      - kind: think
        names: [think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR108"


def nothing_listed(key: str, place: Place) -> Diagnostic:
    """Nothing is under `key`."""
    return Diagnostic(
        place,
        CODE,
        f"there is nothing under `{key}`",
        "Write at least one, or take out what needs it.",
    )
