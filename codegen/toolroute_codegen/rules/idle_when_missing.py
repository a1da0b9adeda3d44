"""`when_missing` stands where nothing can be missing.

What it finds: `when_missing` on a route that requires nothing.

Why it matters: the refusal can never hold. Often, the `requires` that it belongs to was
forgotten, and the route is open.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      no_gate: {code: NOT_NOW, retry: after-delay, text: "{name} needs the gate."}
    routes:
      - kind: wake
        names: [wake]
        when_missing: no_gate

Write what is required, or take the refusal out:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      no_gate: {code: NOT_NOW, retry: after-delay, text: "{name} needs the gate."}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
        when_missing: no_gate
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR225"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each `when_missing` without `requires`; a lookup's is another rule's."""
    for at, route in enumerate(facts.routes):
        if route.when_missing is not None and not route.requires and not route.lookup:
            yield Diagnostic(
                facts.place_of_key(("routes", at, "when_missing")),
                CODE,
                "nothing can be missing here, since this route requires nothing",
                "Write `requires:`, or take `when_missing` out.",
            )
