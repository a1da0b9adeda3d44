"""Which table a command is about, where its module goes, and where the project ends."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from toolroute_codegen.cli._read import read_text, shown
from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.config import Misconfigured, Settings, read_settings

PYPROJECT: Final = "pyproject.toml"


@final
@dataclass(frozen=True, slots=True)
class Project:
    """A folder that outputs don't leave, and its settings.

    `root` is a real path: that of the nearest pyproject.toml with our section; without
    one, of the nearest pyproject.toml or repository; without either, of where we began.
    """

    root: Path
    settings: Settings | None


@final
@dataclass(frozen=True, slots=True)
class Work:
    """A table, and where its module goes, if that's known: in the folder `root`."""

    root: Path
    table: Path
    output: Path | None


def work(table: str | None, output: str | None) -> Work:
    """What the arguments ask for, and pyproject.toml where they leave it out."""
    if "\0" in f"{table}{output}":
        raise Trouble("there is a NUL in a file's name, and no file has one.")
    if table is None:
        project = project_of(here())
        path = _source(project)
        named = project.settings.output if project.settings else None
    else:
        path = here() / table
        project = project_of(path.parent)
        named = _output_of(path, project)
    root = project.root
    target = None if named is None else root / named
    if output is not None:
        target = here() / output
        root = _root_of(target, project)
    if target is not None and _same(path, target):
        raise Trouble(f"{shown(target)} is the table: its module needs another name.")
    return Work(root, path, target)


def here() -> Path:
    """The current folder."""
    try:
        return Path.cwd()
    except OSError:
        raise Trouble("the current folder is gone. Go to another.") from None


def project_of(folder: Path) -> Project:
    """The project that `folder` is in; a repository's folder ends the search."""
    root: Path | None = None
    for step in _upwards(folder):
        pyproject = step / PYPROJECT
        if os.path.lexists(pyproject):
            root = root or step
            settings = settings_in(pyproject)
            if settings is not None:
                return Project(step, settings)
        if os.path.lexists(step / ".git"):
            return Project(root or step, None)
    return Project(root or Path(os.path.realpath(folder)), None)


def settings_in(pyproject: Path) -> Settings | None:
    """The section of this file, or None; `Trouble` where it can't be understood."""
    try:
        return read_settings(read_text(pyproject), shown(pyproject))
    except Misconfigured as told:
        raise Trouble(str(told)) from None


def _upwards(folder: Path) -> list[Path]:
    real = Path(os.path.realpath(folder))
    return [real, *real.parents]


def _source(project: Project) -> Path:
    if project.settings is not None and project.settings.source is not None:
        return project.root / project.settings.source
    beside = sorted(path.name for path in here().glob("routes.y*ml"))
    example = beside[0] if beside else "routes.yaml"
    raise Trouble(
        "which table? None was named, and no pyproject.toml from this folder up has a "
        f"`source` under [tool.toolroute]. Name one: toolroute check {example}"
        + ("" if beside else ". Or make one, settings and all: toolroute init")
    )


def _root_of(target: Path, project: Project) -> Path:
    """The folder that a module named by the person stays in.

    Theirs, if it's in there: they may build another project's table into it.
    """
    own = project_of(here()).root
    return own if is_in(target, own) else project.root


def _output_of(table: Path, project: Project) -> str | None:
    """The settings' output, where the table that was named is the settings' own."""
    settings = project.settings
    if settings is None or settings.source is None:
        return None
    return settings.output if _same(table, project.root / settings.source) else None


def is_in(path: Path, root: Path) -> bool:
    """Whether the place that `path` leads to is in the real folder `root`."""
    return Path(os.path.realpath(path)).is_relative_to(root)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
