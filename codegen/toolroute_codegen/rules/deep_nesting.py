"""The file is nested far deeper than a table ever is.

What it finds: more than 32 lists and mappings inside each other. A table has seven.

Why it matters: what is read into itself without end brings programs down that read it.

For example:

    routes: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]

Write the routes in one list:

    routes:
      - kind: think
        names: [think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR003"

DEEPEST: Final = 32


def deep_nesting(place: Place) -> Diagnostic:
    """The first that is too deep."""
    return Diagnostic(
        place,
        CODE,
        f"this is inside of {DEEPEST} lists and mappings, and a table has seven",
        "Take out the brackets, or the indentation, that nest it.",
    )
