import shlex

import click

from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._findings import tell
from toolroute_codegen.cli._fresh import same_lines
from toolroute_codegen.cli._project import Work, work
from toolroute_codegen.cli._read import shown
from toolroute_codegen.cli._say import err
from toolroute_codegen.cli._stages import compiled
from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.cli._write import Permissions, place_for, replaced, write


@options.command(
    "build", "toolroute build", "toolroute build routes.yaml --output app/dispatch.py"
)
@options.table
@options.output
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace a file that toolroute didn't write.",
)
@options.follow_symlinks
@options.outside_project
def command(
    table: str | None,
    output: str | None,
    *,
    overwrite: bool,
    follow_symlinks: bool,
    outside_project: bool,
) -> int:
    """Compile the table to its module.

    The module is written beside its place and then renamed, so that the old one stays
    whole whatever happens. A file that toolroute didn't write is never replaced, a
    symlink never followed and the project never left, unless an option says so.
    """
    allowed = Permissions(overwrite, follow_symlinks, outside_project)
    asked = work(table, output)
    module = compiled(asked.table)
    if not isinstance(module, str):
        tell(module, "text")
        return 1
    _put(module, asked, allowed)
    return 0


def _put(module: str, asked: Work, allowed: Permissions) -> None:
    if asked.output is None:
        raise Trouble(
            "where to? No module was named. Name one: toolroute build "
            f"{shlex.quote(shown(asked.table))} --output FILE"
        )
    place = place_for(asked.output, asked.root, allowed)
    old = replaced(place, allowed)
    if old is not None and same_lines(old, module):
        err(f"{shown(asked.output)} is up to date.")
        return
    write(place, module.replace("\n", "\r\n") if old and "\r\n" in old else module)
    err(f"{shown(asked.output)} is written.")
