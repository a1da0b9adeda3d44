"""Nothing is put in for a placeholder.

What it finds: a `{…}` in a refusal's text that isn't `{name}`, `{caller}`,
`{capability}` or `{near}`, where no guard or lookup answers with this refusal and so
could supply it; and one that isn't a name at all, such as `{}` or `{name!r}`.

Why it matters: the model would read the braces, or the module would not build.

For example:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {nmae}."}

Write the placeholder that is meant; for a brace in the text, write two:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.names import PLACEHOLDERS
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._texts import (
    BY_THE_HOST,
    is_known,
    marks_of,
    place_of,
    uses_of,
)
from toolroute_codegen.rules._words import did_you_mean, quoted
from toolroute_codegen.rules.unusable_identifier import is_identifier
from toolroute_codegen.texts import Placeholder

CODE: Final = "TR237"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each placeholder that nothing fills in, wherever its refusal is used."""
    for name, uses in uses_of(facts).items():
        by_the_host = not BY_THE_HOST.isdisjoint(uses)
        for piece in marks_of(facts, name):
            if not isinstance(piece, Placeholder) or is_known(piece.name):
                continue
            if is_identifier(piece.name) is None:
                yield Diagnostic(
                    place_of(piece, facts, name),
                    CODE,
                    f"{quoted('{' + piece.name + '}')} isn't a placeholder",
                    f"{did_you_mean(piece.name, sorted(PLACEHOLDERS))}A placeholder is "
                    "a name in braces; for a brace in the text, write two.",
                )
            elif uses and not by_the_host:
                yield Diagnostic(
                    place_of(piece, facts, name),
                    CODE,
                    f"nothing is put in for {quoted('{' + piece.name + '}')}",
                    f"{did_you_mean(piece.name, sorted(PLACEHOLDERS))}Others than "
                    "`{name}`, `{caller}`, `{capability}` and `{near}` are supplied by "
                    "the guard or lookup that answers with the refusal, and none does.",
                )
