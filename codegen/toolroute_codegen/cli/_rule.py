import difflib
import sys

import click

from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._named import quoted
from toolroute_codegen.cli._say import colour_on, out, painted
from toolroute_codegen.cli._trouble import Trouble


@options.command("rule", "toolroute rule", "toolroute rule TR001")
@click.argument("code", required=False)
def command(*, code: str | None) -> int:
    """Print the page of the rule with this CODE, or a line for each rule.

    A page says what the rule finds, why that matters, and what to write instead.
    """
    from toolroute_codegen.rules import (  # noqa: PLC0415 - for this command alone
        ALLOWABLE,
        NAMES,
        page_of,
    )

    colour = colour_on(sys.stdout)
    if code is None:
        for each, name in NAMES.items():
            first = page_of(name).partition("\n")[0]
            out(f"{painted(each, 'bold', colour=colour)}  {first}")
        return 0
    wanted = code.upper()
    if wanted not in NAMES:
        near = difflib.get_close_matches(wanted, NAMES, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise Trouble(
            f"there is no rule {quoted(code)}.{meant} All of them: toolroute rule"
        )
    out(painted(f"{wanted} {NAMES[wanted]}", "bold", colour=colour))
    out("")
    out(page_of(NAMES[wanted]))
    if wanted in ALLOWABLE:
        out("")
        out("To allow it all the same, write a comment on its line, or right above:")
        out("")
        out(f"    # toolroute: allow {NAMES[wanted]}: REASON")
    return 0
