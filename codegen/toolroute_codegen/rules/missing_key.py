"""A key that has to be there isn't.

What it finds: a mapping without a key that the language needs in it.

Why it matters: there is no value that could be assumed without surprising somebody.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, text: "There is no {name}."}

Write it:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR102"


def missing_key(key: str, where: str, meaning: str, place: Place) -> Diagnostic:
    """`key` isn't in `where`; `meaning` is what it says, as the schema has it."""
    return Diagnostic(
        place,
        CODE,
        f"{where} has no {quoted(key)}, which it needs",
        f"Write `{key}:` in it. {meaning}",
    )
