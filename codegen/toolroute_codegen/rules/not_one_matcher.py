"""A route, or the bounds of a lookup, has no matcher or several.

What it finds: a route without exactly one of `names`, `prefix`, `glob`, `split` and
`lookup`; a `within` without exactly one of `prefix`, `glob` and `split`.

Why it matters: with none, nothing says which calls the route takes. With two, nothing
says whether a call has to meet both or one of them.

For example:

    routes:
      - kind: channel
        names: [publish]
        prefix: channel_

Write a route for each; they may share a kind:

    routes:
      - kind: channel
        names: [publish]
      - kind: channel
        prefix: channel_
"""

from collections.abc import Sequence
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR106"


def no_matcher(where: str, matchers: Sequence[str], place: Place) -> Diagnostic:
    """None of `matchers` is there."""
    return Diagnostic(
        place,
        CODE,
        f"{where} says nothing of the names that it takes",
        f"Give it one of {', '.join(matchers)}.",
    )


def several_matchers(where: str, there: Sequence[str], place: Place) -> Diagnostic:
    """Several are there; `place` is that of the second."""
    return Diagnostic(
        place,
        CODE,
        f"{where} has both `{there[0]}` and `{there[1]}`",
        "Keep one of them: two routes with one kind take what both would.",
    )
