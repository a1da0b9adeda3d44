"""A refusal says nothing.

What it finds: a `text` that is empty, or blank.

Why it matters: the text is all that the model gets. Some providers refuse an answer
without any.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: ""}

Say what was refused, and that nothing was done:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR240"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each text without words."""
    for name, refusal in facts.written.refusals.items():
        if not refusal.text.strip():
            yield Diagnostic(
                facts.place(("refusals", name, "text")),
                CODE,
                f"the refusal {quoted(name)} says nothing",
                "Write what is refused, and that nothing was done.",
            )
