"""A capability is declared that nothing uses.

What it finds: a name under `capabilities` that stands in no `requires`, `when`,
`unless` or `advertise`.

Why it matters: every host has to supply it, though no decision asks for it. Often, the
route that should require it doesn't.

For example:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    routes:
      - kind: wake
        names: [wake]

Use it, or take it out:

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
from toolroute_codegen.rules._declared import unused
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR211"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each that is declared and not used."""
    return unused(
        facts, "capabilities", CODE, "require it, refuse by it or advertise by it"
    )
