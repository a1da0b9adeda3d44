"""Where the host can't run, it says so in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from toolroute_host._system import NOT_HERE

ELSEWHERE = """
import os, runpy, sys
os.name = "somewhere else"
module, *sys.argv[1:] = sys.argv[1:]
runpy.run_module(module, run_name="__main__")
"""


@pytest.mark.parametrize(
    ("arguments", "words", "status"),
    [
        (("toolroute_host",), NOT_HERE, 2),
        (("toolroute", "call", "think"), f"toolroute: {NOT_HERE}", 2),
        (("toolroute", "serve"), f"toolroute: {NOT_HERE}", 2),
    ],
    ids=["host", "call", "serve"],
)
def test_another_system_is_told_that_the_host_does_not_run_there(
    tmp_path: Path, arguments: tuple[str, ...], words: str, status: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (status, f"{words}\n")
    assert list(tmp_path.iterdir()) == []


def test_another_system_has_every_other_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, "toolroute", "rule", "TR203"],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
