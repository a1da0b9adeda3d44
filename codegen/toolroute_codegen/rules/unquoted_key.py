"""A key isn't text.

What it finds: keys that YAML 1.1 reads as something else (`no`, `on`, `y`, `12:30`,
`1_000`, a date, nothing at all), and keys that are lists or mappings.

Why it matters: readers of YAML 1.1 and 1.2 see different keys. A caller named `on`
would be `True` to one of them.

For example:

    callers:
      turn: {road: turn}
      on: {road: host}

Quote it, or choose another word:

    callers:
      turn: {road: turn}
      operator: {road: host}
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR010"


def unquoted_key(written: str, read_as: str, place: Place) -> Diagnostic:
    """A key that YAML reads as something else than text."""
    seen = f"the key {quoted(written)}" if written else "the empty key"
    return Diagnostic(
        place,
        CODE,
        f"{seen} is {read_as} to YAML, and a key is text",
        "Quote the key, or choose another word.",
    )
