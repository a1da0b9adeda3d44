"""An unwrap is declared that no route uses.

What it finds: a name under `unwraps` that is no route's `unwrap`.

Why it matters: calls that carry another are taken as they are, and the one inside is
decided by nobody.

For example:

    unwraps:
      inner: {doc: "the tool that act names"}
    routes:
      - kind: act
        names: [act]

Use it, or take it out:

    unwraps:
      inner: {doc: "the tool that act names"}
    routes:
      - kind: act
        names: [act]
        unwrap: inner
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unused
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR217"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each that is declared and not used."""
    return unused(facts, "unwraps", CODE, "give it to a route as its `unwrap`")
