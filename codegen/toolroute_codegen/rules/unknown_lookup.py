"""A lookup is named that the table doesn't declare.

What it finds: a name under a route's `lookup` that isn't under `lookups`.

Why it matters: the host has nothing to ask, so the route can take no call.

For example:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: servers
        within: {split: "--"}

Write the name as it's declared, or declare it:

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
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR206"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "lookups", CODE)
