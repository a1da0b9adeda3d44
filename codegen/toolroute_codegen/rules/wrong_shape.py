"""A value has another shape than its key wants.

What it finds: text where a list is wanted, a list where a mapping is, nothing at all
where there has to be something.

Why it matters: `requires: channel_registry` isn't the list `[channel_registry]`, though
some readers would take it as one, or as its letters.

For example:

    routes:
      - kind: think
        names: think

Write it in the shape that is wanted:

    routes:
      - kind: think
        names: [think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR103"


def wrong_shape(
    where: str, seen: str, wanted: str, next_step: str, place: Place
) -> Diagnostic:
    """What is `seen` at `where` isn't what is `wanted` there."""
    return Diagnostic(
        place, CODE, f"{where} is {seen}, and {wanted} is wanted", next_step
    )
