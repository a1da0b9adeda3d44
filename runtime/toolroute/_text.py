"""Values put into a sentence: one line, escaped, bounded; ordinary ones as they are."""

from typing import Final

LONGEST_VALUE: Final = 200
"""Characters of a value that a sentence shows before it is cut with `…`."""


def one_line(value: str, longest: int = LONGEST_VALUE) -> str:
    r"""`value` on one line, in at most `longest` characters and the mark of a cut.

    What isn't printable (controls, line ends, bidi marks, lone surrogates) is shown as
    Python escapes it, and a backslash is doubled, so that no two values look alike.
    """
    if len(value) <= longest and value.isprintable() and "\\" not in value:
        return value
    shown = value[:longest]
    if not shown.isprintable() or "\\" in shown:
        shown = "".join(map(_escaped, shown))
    cut = len(value) > longest or len(shown) > longest
    return f"{shown[:longest]}…" if cut else shown


def _escaped(character: str) -> str:
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode("ascii")
