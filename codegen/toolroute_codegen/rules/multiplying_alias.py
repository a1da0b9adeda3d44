"""An alias stands for something that holds aliases itself, or for a great deal.

What it finds: `*name` where what `&name` marks holds an alias, or itself; and aliases
that put in more than 100,000 values together.

Why it matters: ten lines of aliases of aliases stand for more than fits into memory.

For example:

    routes:
      - kind: &one think
        names: &both [*one, journal]
      - kind: drafts
        names: *both

Write out what the alias stands for:

    routes:
      - kind: think
        names: [think, journal]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR004"

MOST: Final = 100_000
"""Values that a file's aliases may put in together."""


def nested_alias(name: str, place: Place) -> Diagnostic:
    """An alias for something that holds one."""
    return Diagnostic(
        place,
        CODE,
        f"{quoted('*' + name)} stands for something that holds an alias itself, so "
        "they multiply",
        "Write out here what it stands for.",
    )


def endless_alias(name: str, place: Place) -> Diagnostic:
    """An alias for what it is in."""
    return Diagnostic(
        place,
        CODE,
        f"{quoted('*' + name)} stands for what it is a part of, so it has no end",
        "Write out here what is meant.",
    )


def too_much(place: Place) -> Diagnostic:
    """The alias with which it is too much."""
    return Diagnostic(
        place,
        CODE,
        f"up to here, aliases stand for more than {MOST:,} values",
        "Write out what is needed, and take the aliases out.",
    )
