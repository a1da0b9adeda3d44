"""`within` stands at a route that has no lookup.

What it finds: `within` without `lookup`.

Why it matters: `within` bounds what the host is asked about. Where it isn't asked,
nothing is bounded, and a reader believes that something is.

For example:

    routes:
      - kind: channel
        prefix: channel_
        within: {split: "--"}

Take it out, or write the lookup that it bounds:

    routes:
      - kind: channel
        prefix: channel_
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR107"


def stray_within(place: Place) -> Diagnostic:
    """A `within` that bounds nothing."""
    return Diagnostic(
        place,
        CODE,
        "`within` bounds a lookup, and this route has none",
        "Take it out, or write the `lookup` that it bounds.",
    )
