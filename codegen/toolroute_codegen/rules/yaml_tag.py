"""A tag, `!` and a word, stands before a value.

What it finds: any tag, those of YAML itself too.

Why it matters: a tag tells a reader what to build, up to running code. A table is text,
lists and mappings, `true` and `false`, and says so by how it is written.

For example:

    routes:
      - kind: think
        names: [!!python/name:os.system think]

Take the tag out; to say that something is text, quote it:

    routes:
      - kind: think
        names: ["think"]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR009"


def yaml_tag(tag: str, place: Place) -> Diagnostic:
    """A tag before any node."""
    written = tag.replace("tag:yaml.org,2002:", "!!")
    return Diagnostic(
        place,
        CODE,
        f"the tag {quoted(written)} stands before this value, and a table has no tags",
        "Take the tag out. If the value is text, quote it.",
    )
