"""Calls from a terminal, and what they print."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from toolroute_host import commands


def called(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        commands.call, [*arguments, "--host", str(folder)], standalone_mode=False
    )


def answer(result: Result) -> Any:
    assert result.exception is None, result.exception
    return json.loads(result.stdout)
