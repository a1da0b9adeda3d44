"""A key isn't one of the language's.

What it finds: a key that the place it stands in doesn't have.

Why it matters: a `require` that nobody reads leaves its route open to everyone.

For example:

    capabilities:
      channel_registry: {doc: "the channels"}
    routes:
      - kind: think
        names: [think]
        require: [channel_registry]

Write the key that is meant:

    capabilities:
      channel_registry: {doc: "the channels"}
    routes:
      - kind: think
        names: [think]
        requires: [channel_registry]
"""

from collections.abc import Sequence
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import did_you_mean, quoted

CODE: Final = "TR101"


def unknown_key(key: str, where: str, known: Sequence[str], place: Place) -> Diagnostic:
    """A key that `where` doesn't have; `known` are those it has."""
    return Diagnostic(
        place,
        CODE,
        f"{where} has no key {quoted(key)}",
        f"{did_you_mean(key, known)}Its keys are {', '.join(known)}.",
    )
