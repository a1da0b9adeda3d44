"""A comment that is to allow a finding allows none.

What it finds: a comment `# toolroute: allow RULE: REASON` without a reason, with a rule
that there isn't, with one without which there is no module to build (an unknown
capability, say), or one that is kept where the comment stands. It stands behind what it
allows, on the line that the finding names, or on a line of its own right above that.

Why it matters: who reads it takes the finding for allowed, and for looked at.

For example:

    routes:
      - kind: think
        # toolroute: allow unportable_name: our one provider takes names with dots
        names: [think]

Take it out, or write it where the finding is:

    routes:
      - kind: think
        # toolroute: allow unportable_name: our one provider takes names with dots
        names: [agent.think]
"""

from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules._pages import ALLOWABLE, NAMES
from toolroute_codegen.rules._words import did_you_mean, quoted

CODE: Final = "TR301"


def unknown_rule(rule: str, place: Place) -> Diagnostic:
    """There's no such rule."""
    if not rule:
        seen, words = "this allows nothing", ""
    else:
        seen = f"there is no rule named {quoted(rule)}"
        words = did_you_mean(rule, [*NAMES.values(), *NAMES])
    return Diagnostic(
        place,
        CODE,
        seen,
        f"{words}Write `# toolroute: allow RULE: REASON`; the rules: toolroute rule",
    )


def not_allowable(code: str, place: Place) -> Diagnostic:
    """A finding of this rule leaves no module to build."""
    return Diagnostic(
        place,
        CODE,
        f"{quoted(NAMES[code])} can't be allowed: with it there is no module to build",
        "Mend the finding, and take the comment out. These can be allowed: "
        f"{', '.join(NAMES[each] for each in sorted(ALLOWABLE))}.",
    )


def without_reason(code: str, place: Place) -> Diagnostic:
    """It isn't said why."""
    return Diagnostic(
        place,
        CODE,
        f"this allows {quoted(NAMES[code])} without a reason",
        f"Write it behind a `:`, as in `# toolroute: allow {NAMES[code]}: REASON`.",
    )


def nothing_to_allow(code: str, place: Place) -> Diagnostic:
    """The rule is kept there."""
    return Diagnostic(
        place,
        CODE,
        f"nothing here breaks {quoted(NAMES[code])}",
        "Take the comment out, or write it behind what it allows, or on a line of its "
        "own right above.",
    )
