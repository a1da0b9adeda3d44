import importlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

AI = Path(__file__).parent / "ai"
WANTED = os.environ.get("TOOLROUTE_PEERS") == "1"


def missing(sentence: str) -> None:
    """A peer that isn't there: a failure where peers are wanted, else a skip."""
    if WANTED:
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def need() -> Callable[[str], None]:
    def importable(module: str) -> None:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError:
            missing(f"{module} isn't installed: pip install -e '.[peers]'")

    return importable


@pytest.fixture(scope="session")
def ai_says() -> Iterator[Callable[[list[Any]], Any]]:
    """What the npm package `ai` says against UI messages; None if nothing."""
    node = shutil.which("node")
    if node is None or not (AI / "node_modules" / "ai").is_dir():
        missing(f"the npm package `ai` isn't installed: npm install --prefix {AI.name}")
    command = [str(node), "judge.mjs"]
    with subprocess.Popen(
        command,
        cwd=AI,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as judge:
        asked, answered = judge.stdin, judge.stdout
        assert asked is not None
        assert answered is not None

        def says(messages: list[Any]) -> Any:
            asked.write(json.dumps(messages) + "\n")
            asked.flush()
            return json.loads(answered.readline())

        yield says
        asked.close()
