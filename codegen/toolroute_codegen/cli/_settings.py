"""[tool.toolroute] put into pyproject.toml, the rest of which stays as it is."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import final

from toolroute_codegen.cli._project import PYPROJECT, Project, here
from toolroute_codegen.cli._read import read_text, shown
from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.cli._write import Permissions, create, place_for, write
from toolroute_codegen.config import Misconfigured, Settings, read_settings


@final
@dataclass(frozen=True, slots=True)
class Addition:
    """A pyproject.toml with the section in it, to be written at a real path."""

    path: Path
    text: str
    is_new: bool

    def write(self) -> None:
        """Put it there."""
        (create if self.is_new else write)(self.path, self.text)


def addition(
    project: Project, table: Path, output: Path, allowed: Permissions
) -> Addition | None:
    """What there is to write; None where the settings are there already."""
    if project.settings is not None:
        return None
    pyproject = project.root / PYPROJECT
    is_new = not os.path.lexists(pyproject)
    if is_new:
        pyproject = here() / PYPROJECT
    real = place_for(pyproject, project.root, allowed)
    if not is_new and not os.access(real, os.W_OK):
        raise Trouble(f"{shown(pyproject)} is read-only. Allow writing to it.")
    old = "" if is_new else read_text(pyproject)
    settings = Settings(_from(real, table), _from(real, output))
    return Addition(real, _with_section(old, settings, shown(pyproject)), is_new)


def _from(pyproject: Path, path: Path) -> str:
    return Path(os.path.relpath(path, pyproject.parent)).as_posix()


def _with_section(old: str, settings: Settings, name: str) -> str:
    section = (
        "[tool.toolroute]\n"
        f"source = {_quoted(settings.source)}\n"
        f"output = {_quoted(settings.output)}\n"
    )
    end = "\r\n" if "\r\n" in old else "\n"
    gap = "" if not old else end if old.endswith("\n") else end * 2
    text = old + gap + section.replace("\n", end)
    try:
        understood = read_settings(text, name)
    except Misconfigured:
        understood = None
    if understood != settings:
        raise Trouble(
            f"{name} can't take a section at its end. Nothing was written; put this "
            f"into it yourself, then call init again:\n\n{section}"
        )
    return text


def _quoted(value: str | None) -> str:
    return json.dumps(value, ensure_ascii=False)
