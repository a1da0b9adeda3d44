"""Text is wanted, and YAML reads something else.

What it finds: a plain value that YAML 1.1 reads as true or false (`no`, `yes`, `on`,
`off`, `true`), a number (`12`, `1_000`, `12:30`, `.inf`), a date, or nothing (`null`,
`~`), where text is wanted.

Why it matters: readers of YAML 1.1 and 1.2 see different values: `retry: no` is the
word to one and `False` to the other.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: no, text: "There is no {name}."}

Quote it:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR105"


def unquoted_text(written: str, read_as: str, place: Place) -> Diagnostic:
    """A plain scalar that is `read_as` something else than text."""
    return Diagnostic(
        place,
        CODE,
        f"{quoted(written)} is {read_as} to YAML, and text is wanted",
        "Quote it, so that every reader of the file sees text.",
    )
