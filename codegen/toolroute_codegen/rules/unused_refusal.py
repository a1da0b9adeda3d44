"""A refusal is declared that nothing uses.

What it finds: a name under `refusals` that stands in no `with`, `when_missing`,
`off_turn`, `otherwise` or `refuses`.

Why it matters: somebody wrote a reason to refuse calls, and no call is refused for it.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      agents_own: {code: TOOL_REFUSED, retry: "no", text: "{name} is the agent's."}
    routes:
      - kind: think
        names: [think]

Use it, or take it out:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      agents_own: {code: TOOL_REFUSED, retry: "no", text: "{name} is the agent's."}
    routes:
      - kind: think
        names: [think]
        refuse: [{callers: [host], with: agents_own}]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unused
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR212"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each that is declared and not used."""
    return unused(facts, "refusals", CODE, "refuse with it")
