"""What the docs say of the runtime."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from made_up_time import run
from runtime_house import House, call, text, well

import toolroute.runtime
from toolroute.runtime import Runtime, Turn
from toolroute.runtime._round import Round
from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.compile import compile_table

ROOT = Path(__file__).parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
GUIDE = (ROOT / "docs" / "runtime.md").read_text("utf-8")


def _host() -> str:
    readme = (ROOT / "README.md").read_text("utf-8")
    (host,) = (one for one in PYTHON.findall(readme) if one.startswith("# agent.py"))
    return str(host)


def test_the_readmes_host_is_whole_and_under_60_lines() -> None:
    assert len(_host().splitlines()) < 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text(_host(), encoding="utf-8")
    (tmp_path / "dispatch.py").write_text(compile_table(TABLE, "routes.yaml"))
    return tmp_path


def _python(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_readmes_host_runs_and_leaves_no_warning(folder: Path) -> None:
    printed = _python(folder, "agent.py")
    statuses = [line.split(":")[0] for line in printed.splitlines()]
    assert statuses == ["ok", "ok", "error", "error", "error", "refused", "ok"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"```console\n$ python agent.py\n{printed}```\n" in readme


def test_the_readmes_host_type_checks(folder: Path) -> None:
    pytest.importorskip("mypy")
    told = _python(folder, "-W", "default", "-m", "mypy", "--strict", "agent.py")
    assert told == "Success: no issues found in 1 source file\n"


def test_the_guides_code_is_python_and_names_what_there_is() -> None:
    public = {*toolroute.runtime.__all__}
    members = {*dir(Runtime), *dir(Turn), *dir(Round), *dir(toolroute.runtime.Step)}
    for block in PYTHON.findall(GUIDE):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id in {*public, "view", "Handlers", "frozenset"}
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=member):
                    handle = owner in {"runtime", "turn", "one", "step"}
                    assert not handle or member in members | {"tools"}
                case _:
                    continue


def test_the_guide_names_every_answer() -> None:
    told = set(re.findall(r"^\| `(\w+)` \| `", GUIDE, re.MULTILINE))
    answers = {"Returned", "Refused", "BadArguments", "Failed", "NotExecuted"}
    assert told == answers | {"OutcomeUnknown"}


def test_importing_toolroute_does_not_import_asyncio() -> None:
    code = "import sys, toolroute; print('asyncio' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout == "False\n"


def test_the_public_names_are_there_once() -> None:
    names = toolroute.runtime.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(toolroute.runtime, name) for name in names)


def test_one_runtime_serves_one_loop_after_the_other() -> None:
    runtime = House({"a": well}).runtime()
    answers = [run(runtime.host().call(call("a"))) for _ in range(2)]
    assert [text(answer) for answer in answers] == ["a is done"] * 2
