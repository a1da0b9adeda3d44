"""A merge key, `<<`, stands where the language's own keys are wanted.

What it finds: `<<` as a key, unquoted.

Why it matters: with it, what a route requires and refuses stands somewhere else, under
rules of precedence of its own, and YAML 1.2 has dropped it.

For example:

    routes:
      - &own
        kind: think
        names: [think]
      - <<: *own
        names: [journal]

Write out what each route has:

    routes:
      - kind: think
        names: [think]
      - kind: journal
        names: [journal]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR008"


def merge_key(place: Place) -> Diagnostic:
    """A `<<`."""
    return Diagnostic(
        place,
        CODE,
        "`<<` merges another mapping into this one, which a table doesn't do",
        "Write out here the keys that it would bring.",
    )
