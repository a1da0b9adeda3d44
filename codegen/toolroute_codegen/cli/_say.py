"""What people see: findings on standard output, all else on standard error.

Whatever was read from somewhere is made visible before it's shown: a control character
or a bidi mark would change what the terminal shows of the rest.
"""

import json
import os
import sys
from typing import Any, Final, TextIO

from toolroute_codegen.cli._trouble import Trouble

STYLES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}

FORCES: Final = ("CLICOLOR_FORCE", "FORCE_COLOR")


def out(text: str) -> None:
    """`text` and a line end on standard output, or `Trouble` where that's closed."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is after `>&-`
        raise Trouble("standard output is closed, so there's nowhere to write to.")
    sys.stdout.write(f"{text}\n")


def out_json(value: dict[str, Any]) -> None:
    """`value` as JSON, in ASCII: what isn't printable comes out escaped."""
    out(json.dumps(value, indent=2))


def err(text: str) -> None:
    """`text` and a line end on standard error, if that's open."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - None after `2>&-`
        sys.stderr.write(f"{text}\n")


def visible(text: str, keep: str = "\n\t") -> str:
    """`text` with all that isn't printable escaped, as Python does it, but `keep`."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in keep or character.isprintable()
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def painted(text: str, style: str, *, colour: bool) -> str:
    """`text` in one of `STYLES`, where there is colour."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if colour and text else text


def colour_on(stream: TextIO | None) -> bool:
    """Whether `stream` gets colour: a terminal does, unless its owner says otherwise.

    NO_COLOR and CLICOLOR=0 say no, CLICOLOR_FORCE and FORCE_COLOR yes; NO_COLOR wins.
    """
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    if any(said(force, "0") not in {"", "0"} for force in FORCES):
        return True
    if said("CLICOLOR") == "0" or said("TERM") == "dumb" or stream is None:
        return False
    return stream.isatty()
