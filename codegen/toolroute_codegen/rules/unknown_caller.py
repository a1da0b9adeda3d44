"""A caller is named that the table doesn't declare.

What it finds: a name under `callers` of a `refuse` entry that isn't under the table's
`callers`.

Why it matters: the entry would refuse nobody, and whoever it was written against gets
in.

For example:

    routes:
      - kind: think
        names: [think]
        refuse: [{callers: [hots], with: unknown_tool}]

Write the name as it's declared, or declare it:

    routes:
      - kind: think
        names: [think]
        refuse: [{callers: [host], with: unknown_tool}]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._declared import unknown
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR204"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each use of a name that isn't declared."""
    return unknown(facts, "callers", CODE)
