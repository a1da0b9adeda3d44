"""A refusal is named that the table doesn't declare.

What it finds: a name under `with`, `when_missing`, `off_turn`, `otherwise` or `refuses`
that isn't under `refusals`.

Why it matters: a refusal without a text has nothing to say to the model, and a call
without an answer sticks in the conversation.

For example:

    routes:
      - kind: think
        names: [think]
        refuse: [{callers: [host], with: unknown_tol}]

Write the name as it's declared, or declare it:

    routes:
      - kind: think
        names: [think]
        refuse: [{callers: [host], with: unknown_tool}]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR202"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "refusals", CODE)
