"""What is wrong with a table, on standard output."""

import sys
from typing import TYPE_CHECKING

from toolroute_codegen.cli._say import colour_on, err, out, out_json

if TYPE_CHECKING:
    from toolroute_codegen.diagnostics import Rejected


def tell(rejected: "Rejected", output_format: str) -> None:
    """The findings, for people or for programs."""
    from toolroute_codegen import report  # noqa: PLC0415 - where there are some

    found, filename = rejected.found, rejected.filename
    match output_format:
        case "json":
            out_json({"version": 1, "findings": report.as_json(found, filename)})
        case "github":
            out(report.github(found, filename))
        case "sarif":
            out_json(report.sarif(found, filename))
        case _:
            colour = colour_on(sys.stdout)
            text = report.report(found, rejected.source, filename, colour=colour)
            out(text.removesuffix("\n"))
            count = "1 finding" if len(found) == 1 else f"{len(found)} findings"
            err(f"{count}. What a rule means: toolroute rule {found[0].code}")
