"""A refusal's code isn't in capitals.

What it finds: a `code` that isn't a capital and at most 63 capitals, digits and `_`
behind it.

Why it matters: the code is what programs read, and they compare it letter by letter.

For example:

    refusals:
      unknown_tool: {code: no-such-tool, retry: "no", text: "There is no {name}."}

Write it in capitals:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
"""

import re
from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR236"

_is_code: Final = re.compile(r"[A-Z][A-Z0-9_]{0,63}").fullmatch


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each code that has another form."""
    for name, refusal in facts.written.refusals.items():
        if _is_code(refusal.code) is None:
            yield Diagnostic(
                facts.place(("refusals", name, "code")),
                CODE,
                f"the code {quoted(refusal.code)} isn't in capitals",
                "Write a capital, and at most 63 capitals, digits and `_` behind it.",
            )
