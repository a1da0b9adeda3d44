"""The file holds a second document.

What it finds: `---` after the table.

Why it matters: one file is one table; which of two is meant can't be told.

For example:

    routes:
      - kind: think
        names: [think]
    ---
    routes: []

Put them into files of their own, or into one table:

    routes:
      - kind: think
        names: [think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR005"


def second_document(place: Place) -> Diagnostic:
    """The second document, where it begins."""
    return Diagnostic(
        place,
        CODE,
        "a second document begins here, and a file holds one table",
        "Take out the line `---`, or put what follows into a file of its own.",
    )
