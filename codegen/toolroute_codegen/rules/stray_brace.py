"""A brace in a refusal's text stands alone.

What it finds: a `{` without a `}` behind it, or a `}` without a `{` before it.

Why it matters: it may be a placeholder that was cut, or a brace that the model is to
read; the one is filled in and the other isn't.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name."}

Close it; for a brace that the model is to read, write two:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._texts import marks_of, place_of
from toolroute_codegen.texts import StrayBrace

CODE: Final = "TR239"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each brace that is neither one of a pair nor doubled."""
    for name in facts.written.refusals:
        for piece in marks_of(facts, name):
            if isinstance(piece, StrayBrace):
                yield Diagnostic(
                    place_of(piece, facts, name),
                    CODE,
                    f"this `{piece.brace}` stands alone",
                    f"Write `{piece.brace * 2}` for a brace in the text, or complete "
                    "the placeholder: `{name}`.",
                )
