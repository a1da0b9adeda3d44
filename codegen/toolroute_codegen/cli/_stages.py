"""The compiler's stages, imported when a command comes to them: `--help` needs none.

What they find is told on standard output, and stands as None here.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from toolroute_codegen.cli._findings import tell
from toolroute_codegen.cli._project import work
from toolroute_codegen.cli._read import read_text, shown

if TYPE_CHECKING:
    from toolroute_codegen.diagnostics import Rejected
    from toolroute_codegen.table import Table


def compiled(path: Path) -> "str | Rejected":
    """The module that the table at `path` becomes, or why it becomes none."""
    from toolroute_codegen.compile import compile_table  # noqa: PLC0415
    from toolroute_codegen.diagnostics import Rejected  # noqa: PLC0415

    try:
        return compile_table(read_text(path), shown(path))
    except Rejected as rejected:
        return rejected


def checked(table: str | None, output_format: str) -> "Table | None":
    """The table that is asked for; where there is something to find, that is told."""
    from toolroute_codegen.check import check  # noqa: PLC0415
    from toolroute_codegen.diagnostics import Rejected  # noqa: PLC0415
    from toolroute_codegen.load import load  # noqa: PLC0415
    from toolroute_codegen.parse import parse  # noqa: PLC0415

    path = work(table, None).table
    try:
        read = parse(load(read_text(path), shown(path)))
        check(read)
    except Rejected as rejected:
        tell(rejected, output_format)
        return None
    return read
