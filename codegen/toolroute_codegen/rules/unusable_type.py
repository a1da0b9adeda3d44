"""A type isn't written as `package.module:Class`.

What it finds: the `type` of a capability or lookup in any other form, or with one of
Python's own words in it, or from `__future__`, which is no module to import a class of.

Why it matters: the module imports it, for type checkers alone: what stands before the
`:` is the module, what stands behind it the class.

For example:

    lookups:
      server: {type: host.servers.Server}
    routes:
      - kind: remote
        lookup: server

Write the `:` before the class:

    lookups:
      server: {type: "host.servers:Server"}
    routes:
      - kind: remote
        lookup: server
"""

import keyword
import re
from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR235"

LONGEST: Final = 200

_DOTTED: Final = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_is_type: Final = re.compile(f"{_DOTTED}:{_DOTTED}").fullmatch


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each type that can't be imported as it's written."""
    for section in ("capabilities", "lookups"):
        for name, declared in getattr(facts.written, section).items():
            if declared.type is not None and not _can_be_imported(declared.type):
                yield Diagnostic(
                    facts.place((section, name, "type")),
                    CODE,
                    f"{quoted(declared.type)} doesn't name a class of a module",
                    'Write it as "package.module:Class", in ASCII letters, digits and '
                    f"`_`, {LONGEST} at most.",
                )


def _can_be_imported(written: str) -> bool:
    return (
        len(written) <= LONGEST
        and _is_type(written) is not None
        and not any(map(_is_pythons, re.split(r"[.:]", written)))
    )


def _is_pythons(word: str) -> bool:
    return keyword.iskeyword(word) or word == "__future__"
