"""A name that the module is to have can't be one.

What it finds: a kind, capability, lookup, guard, unwrap, refusal or placeholder that
isn't a letter and at most 63 ASCII letters, digits and `_` behind it. A kind begins
with a small letter, since its class begins with the large one. Callers may have `-`
too.

Why it matters: they become classes, methods and parameters of the generated module.
Letters of other alphabets look like those of this one, and Python takes some of them
for the same.

For example:

    routes:
      - kind: wake-rule
        names: [wake_add_rule]

Write it as a Python name:

    routes:
      - kind: wake_rule
        names: [wake_add_rule]
"""

import re
from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._declared import ONE, declared_in
from toolroute_codegen.rules._facts import Facts, Section
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR233"

is_identifier: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}").fullmatch

_is_kind: Final = re.compile(r"[a-z][A-Za-z0-9_]{0,63}").fullmatch
_is_caller: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}").fullmatch

_SECTIONS: Final[tuple[Section, ...]] = (
    "capabilities",
    "lookups",
    "guards",
    "unwraps",
    "refusals",
)


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each kind and each declared name that can't stand in the module."""
    for name in facts.written.callers:
        if _is_caller(name) is None:
            place = facts.place_of_key(("callers", name))
            yield _unusable(name, "caller", "a letter", place, "`_` and `-`")
    for section in _SECTIONS:
        for name in declared_in(facts, section):
            if is_identifier(name) is None:
                place = facts.place_of_key((section, name))
                yield _unusable(name, ONE[section], "a letter", place)
    for kind, at in facts.kinds.items():
        if _is_kind(kind) is None:
            place = facts.place(("routes", at, "kind"))
            yield _unusable(kind, "kind", "a small letter", place)


def _unusable(
    name: str, what: str, first: str, place: Place, marks: str = "`_`"
) -> Diagnostic:
    return Diagnostic(
        place,
        CODE,
        f"{quoted(name)} can't be the name of a {what}",
        f"Write {first}, and at most 63 letters, digits and {marks} behind it.",
    )
