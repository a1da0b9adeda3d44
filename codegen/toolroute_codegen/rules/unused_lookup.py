"""A lookup is declared that no route asks.

What it finds: a name under `lookups` that is no route's `lookup`.

Why it matters: every host has to supply it, and the names that it would find go
elsewhere.

For example:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        split: "--"

Use it, or take it out:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: server
        within: {split: "--"}
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unused
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR216"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each that is declared and not used."""
    return unused(facts, "lookups", CODE, "give it to a route as its `lookup`")
