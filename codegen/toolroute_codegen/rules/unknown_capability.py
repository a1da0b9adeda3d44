"""A capability is named that the table doesn't declare.

What it finds: a name under `requires`, `when`, `unless` or `advertise` that isn't under
`capabilities`.

Why it matters: no host can say whether it is present, so the route would never exist,
or its refusal never hold.

For example:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gte]

Write the name as it's declared, or declare it:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR201"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "capabilities", CODE)
