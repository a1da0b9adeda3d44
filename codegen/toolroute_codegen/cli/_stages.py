"""The compiler's stages, imported when a command comes to them: `--help` needs none.

Start-up is most of what a command takes, so the collector rests while modules are
imported.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from toolroute_codegen._collector import collector_paused
from toolroute_codegen.cli._findings import tell
from toolroute_codegen.cli._project import work
from toolroute_codegen.cli._read import read_text, shown

if TYPE_CHECKING:
    from toolroute_codegen.diagnostics import Rejected
    from toolroute_codegen.table import Table


def compiled(path: Path) -> "str | Rejected":
    """The module that the table at `path` becomes, or why it becomes none."""
    text = read_text(path)
    with collector_paused():
        from toolroute_codegen.compile import compile_table  # noqa: PLC0415
        from toolroute_codegen.diagnostics import Rejected  # noqa: PLC0415

        try:
            return compile_table(text, shown(path))
        except Rejected as rejected:
            return rejected


def checked(table: str | None, output_format: str) -> "Table | None":
    """The table that is asked for; where there is something to find, that is told."""
    path = work(table, None).table
    text = read_text(path)
    with collector_paused():
        from toolroute_codegen.check import check  # noqa: PLC0415
        from toolroute_codegen.diagnostics import Rejected  # noqa: PLC0415
        from toolroute_codegen.load import load  # noqa: PLC0415
        from toolroute_codegen.parse import parse  # noqa: PLC0415

        try:
            read = parse(load(text, shown(path)))
            check(read)
        except Rejected as rejected:
            tell(rejected, output_format)
            return None
        return read
