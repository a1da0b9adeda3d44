"""A placeholder can't stand in one of the places where its refusal is used.

What it finds: `{near}` in a refusal that isn't used as `otherwise` alone,
`{capability}` in one that isn't used as `when_missing` alone, and what a guard or
lookup supplies in one that is used elsewhere too.

Why it matters: only `otherwise` knows that no route took the call, only `when_missing`
which capability is absent, and only the host what else there is to say.

For example:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "No {name}, but {near}."}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
        when_missing: unknown_tool

Write a refusal for each of them:

    capabilities:
      event_gate: {doc: "the gate that wakes the agent"}
    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "No {name}, but {near}."}
      no_gate: {code: NOT_NOW, retry: after-delay, text: "There is no {capability}."}
    routes:
      - kind: wake
        names: [wake]
        requires: [event_gate]
        when_missing: no_gate
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note
from toolroute_codegen.names import PLACEHOLDERS
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.rules._texts import (
    BY_THE_HOST,
    can_stand,
    is_known,
    marks_of,
    place_of,
    uses_of,
)
from toolroute_codegen.rules._words import did_you_mean, quoted
from toolroute_codegen.rules.unusable_identifier import is_identifier
from toolroute_codegen.texts import Placeholder

CODE: Final = "TR238"

_WHERE: Final = {
    "near": "`otherwise` alone can tell names that are near",
    "capability": "`when_missing` alone knows which capability is absent",
}
_BY_THE_HOST: Final = "only a guard or a lookup can supply it"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each placeholder that something fills in, though not in every use."""
    for name, uses in uses_of(facts).items():
        by_the_host = not BY_THE_HOST.isdisjoint(uses)
        for piece in marks_of(facts, name):
            if not isinstance(piece, Placeholder) or not is_identifier(piece.name):
                continue
            wrong = [p for use, p in uses.items() if not can_stand(piece.name, use)]
            if wrong and (by_the_host or is_known(piece.name)):
                why = _WHERE.get(piece.name, _BY_THE_HOST)
                yield Diagnostic(
                    place_of(piece, facts, name),
                    CODE,
                    f"{quoted('{' + piece.name + '}')} can't be put in where "
                    f"{quoted(name)} is used: {why}",
                    f"{_meant(piece.name)}Take the placeholder out, or write a refusal "
                    "of its own for that place.",
                    tuple(
                        Note("It is used here:", facts.place(path)) for path in wrong
                    ),
                )


def _meant(placeholder: str) -> str:
    if is_known(placeholder):
        return ""
    return did_you_mean(placeholder, sorted(PLACEHOLDERS))
