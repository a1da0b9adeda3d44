"""An unwrap is named that the table doesn't declare.

What it finds: a name under a route's `unwrap` that isn't under `unwraps`.

Why it matters: the call that is carried would be run without being decided.

For example:

    unwraps:
      inner: {doc: "the tool that act names"}
    routes:
      - kind: act
        names: [act]
        unwrap: iner

Write the name as it's declared, or declare it:

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
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR207"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "unwraps", CODE)
