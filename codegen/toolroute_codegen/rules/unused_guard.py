"""A guard is declared that nothing asks.

What it finds: a name under `guards` that is no route's `guard`, and not the table's.

Why it matters: every host has to write a check that no call is put to.

For example:

    guards:
      fork_channel: {sees: input, refuses: [unknown_tool]}
    routes:
      - kind: channel
        prefix: channel_

Use it, or take it out:

    guards:
      fork_channel: {sees: input, refuses: [unknown_tool]}
    routes:
      - kind: channel
        prefix: channel_
        guard: fork_channel
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unused
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR215"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each that is declared and not used."""
    return unused(
        facts, "guards", CODE, "give it to a route as its `guard`, or to the table"
    )
