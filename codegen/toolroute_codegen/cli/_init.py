import os
import shlex
from pathlib import Path
from typing import Final

from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._project import Project, here, project_of
from toolroute_codegen.cli._read import shown
from toolroute_codegen.cli._say import err
from toolroute_codegen.cli._settings import addition
from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.cli._write import Permissions, create, place_for, replaced
from toolroute_codegen.config import Settings

ANOTHER: Final = "Name another file: toolroute init --output FILE"


@options.command(
    "init", "toolroute init", "toolroute init app/routes.yaml --output app/dispatch.py"
)
@options.table
@options.output
@options.follow_symlinks
@options.outside_project
def command(
    table: str | None,
    output: str | None,
    *,
    follow_symlinks: bool,
    outside_project: bool,
) -> int:
    """Write a first table, with comments, and the settings that name it.

    TABLE is routes.yaml unless it's named, and the module dispatch.py beside it. The
    settings go into pyproject.toml, as [tool.toolroute]; it's made where there is none,
    and left alone where it has them. Nothing is ever overwritten.
    """
    if "\0" in f"{table}{output}":
        raise Trouble("there is a NUL in a file's name, and no file has one.")
    allowed = Permissions(
        follow_symlinks=follow_symlinks, outside_project=outside_project
    )
    project = project_of(here())
    source, target = _paths(table, output, project)
    place = place_for(source, project.root, allowed)
    if os.path.lexists(place):
        raise Trouble(
            f"{shown(source)} is there already, and init overwrites nothing. "
            "Name another file: toolroute init TABLE"
        )
    replaced(place_for(target, project.root, allowed), allowed, ANOTHER)
    settings = addition(project, source, target, allowed)
    create(place, TABLE)
    if settings is not None:
        try:
            settings.write()
        except BaseException:
            place.unlink()
            raise
        err(f"{shown(settings.path)}: [tool.toolroute] names the table and its module.")
    err(f"{shown(source)} is written. Next, to compile it to {shown(target)}:")
    err(f"  {_build(project.settings, source, target, project.root)}")
    return 0


def _paths(
    table: str | None, output: str | None, project: Project
) -> tuple[Path, Path]:
    """Where the table and its module go: as named, else as set, else as ever."""
    settings = project.settings or Settings()
    if table is not None:
        source, set_output = here() / table, None
    elif settings.source is not None:
        source, set_output = project.root / settings.source, settings.output
    else:
        source, set_output = here() / "routes.yaml", settings.output
    if output is not None:
        return source, here() / output
    if set_output is not None:
        return source, project.root / set_output
    return source, source.with_name("dispatch.py")


def _build(settings: Settings | None, source: Path, target: Path, root: Path) -> str:
    """The command that builds what was written: short where the settings name it."""
    if settings in {None, Settings(_from(root, source), _from(root, target))}:
        return "toolroute build"
    paths = [shlex.quote(shown(path)) for path in (source, target)]
    return f"toolroute build {paths[0]} --output {paths[1]}"


def _from(root: Path, path: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()
