"""A character that can't be seen stands in the file.

What it finds: control characters and NUL, line ends of other systems (a lone carriage
return, U+0085, U+2028, U+2029), a byte-order mark that isn't the file's first
character, lone surrogates, and what Unicode says is no character at all.

Why it matters: a reader can't see them, editors and YAML disagree on whether they end a
line, and a name with one in it looks like a name without.

For example, with a NUL, here shown as ␀:

    routes:
      - kind: think
        names: ["think␀"]

Take it out; in a text where it's meant, write it as an escape, in double quotes:

    routes:
      - kind: think
        names: ["think"]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place

CODE: Final = "TR002"

_NAMES: Final = {
    "\0": "a NUL",
    "\r": "a carriage return that ends no line",
    "\x1b": "an escape character",
    "\ufeff": "a byte-order mark inside the file",
}


def hidden_character(place: Place, character: str, others: int) -> Diagnostic:
    """The first of them; `others` is how many more there are."""
    seen = _NAMES.get(character, "a character that can't be seen")
    notes = (Note(f"Others like it in this file: {others}."),) if others else ()
    return Diagnostic(
        place,
        CODE,
        f"here is {seen}, U+{ord(character):04X}",
        "Take it out; where a text needs it, write it as an escape in double quotes.",
        notes,
    )
