from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from toolroute_codegen.cli import main
from toolroute_codegen.cli._starter import TABLE

Ran: TypeAlias = tuple[int, str, str]
"""What a command did: its exit status, standard output and standard error."""

Run: TypeAlias = Callable[..., Ran]

SAID = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM")


@pytest.fixture(autouse=True)
def _no_say_on_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SAID:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is a repository's, and the current one."""
    (tmp_path / "here" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def project(folder: Path) -> Path:
    """A project whose settings name the table that `init` writes."""
    (folder / "pyproject.toml").write_text(
        '[tool.toolroute]\nsource = "routes.yaml"\noutput = "dispatch.py"\n'
    )
    (folder / "routes.yaml").write_text(TABLE)
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process."""

    def ran(*arguments: str) -> Ran:
        capsys.readouterr()
        status = main(arguments)
        return (status, *capsys.readouterr())

    return ran
