"""A guard is named that the table doesn't declare.

What it finds: a name under `guard`, of a route or of the table, that isn't under
`guards`.

Why it matters: the check would not be made on any road.

For example:

    guards:
      fork_channel: {sees: input, refuses: [unknown_tool]}
    routes:
      - kind: channel
        prefix: channel_
        guard: fork_chanel

Write the name as it's declared, or declare it:

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
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR205"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "guards", CODE)
