import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolroute_codegen.cli import main

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
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process."""

    def ran(*arguments: str) -> Ran:
        capsys.readouterr()
        status = main(arguments)
        return (status, *capsys.readouterr())

    return ran


@pytest.fixture
def started() -> Run:
    """The command in a process of its own, with no terminal."""

    def ran(*arguments: str | bytes, **settings: Any) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "toolroute", *arguments],
            capture_output=True,
            timeout=60,
            check=False,
            env={**os.environ, **settings.pop("env", {})},
            **settings,
        )
        return (
            done.returncode,
            (done.stdout or b"").decode("utf-8"),
            (done.stderr or b"").decode("utf-8"),
        )

    return ran
