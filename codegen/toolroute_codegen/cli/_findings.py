"""What is wrong with a table, on standard output."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from toolroute_codegen.cli._say import colour_on, err, out, out_json

if TYPE_CHECKING:
    from toolroute_codegen.diagnostics import Rejected


def tell(rejected: "Rejected", output_format: str) -> None:
    """The findings, for people or for programs."""
    if output_format == "json":
        out_json({"version": 1, "findings": as_json(rejected)})
        return
    from toolroute_codegen.report import report  # noqa: PLC0415 - where there are some

    found = rejected.found
    colour = colour_on(sys.stdout)
    text = report(found, rejected.source, rejected.filename, colour=colour)
    out(text.removesuffix("\n"))
    count = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    err(f"{count}. What a rule means: toolroute rule {found[0].code}")


def as_json(rejected: "Rejected") -> list[dict[str, Any]]:
    """The findings in order; lines and columns count from 1, in characters."""
    return [{"file": rejected.filename, **asdict(found)} for found in rejected.found]
