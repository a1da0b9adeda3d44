"""The file holds nothing.

What it finds: a file that is empty, or holds comments alone.

Why it matters: a table says at least who can call, and how a call is refused.

For example, a file that only says:

    # routes of the host

`toolroute init` writes a table that builds, with a comment for each thing in it:

    routes:
      - kind: think
        names: [think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place

CODE: Final = "TR006"


def empty_file() -> Diagnostic:
    """A file without a single node."""
    return Diagnostic(
        Place(1, 1),
        CODE,
        "there is no table in this file",
        "Write one, or let `toolroute init` write one that builds.",
    )
