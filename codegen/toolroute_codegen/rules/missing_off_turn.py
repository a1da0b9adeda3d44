"""A route needs a live turn and doesn't say how other calls are refused.

What it finds: `ends_turn: true` or `plane: client` without `off_turn`.

Why it matters: an awaited call has no turn to end and no page to be handed to. Such a
call needs an answer, in words that say so.

For example:

    routes:
      - kind: skip_reply
        names: [skip_reply]
        ends_turn: true

Name the refusal for calls that aren't made in a live turn:

    refusals:
      unknown_tool: {code: NO_SUCH_TOOL, retry: "no", text: "There is no {name}."}
      needs_turn: {code: TOOL_REFUSED, retry: "no", text: "{name} needs a turn."}
    routes:
      - kind: skip_reply
        names: [skip_reply]
        ends_turn: true
        off_turn: needs_turn
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts

CODE: Final = "TR226"


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each route that needs `off_turn` and hasn't it."""
    for at, route in enumerate(facts.routes):
        if route.off_turn is not None:
            continue
        if route.ends_turn:
            key, why = "ends_turn", "ends the turn it's called in"
        elif route.plane == "client":
            key, why = "plane", "is handed out to whoever has the turn's page"
        else:
            continue
        yield Diagnostic(
            facts.place_of_key(("routes", at, key)),
            CODE,
            f"this route {why}, and has no `off_turn` for calls outside of one",
            "Write `off_turn:` with the refusal for a call that isn't made in a live "
            "turn.",
        )
