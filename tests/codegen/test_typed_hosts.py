"""What both checkers say to a host: its mistakes are run, and told by name."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modules import ROOT, text_of

CALLERS = {"turn": {"road": "turn"}, "host": {"road": "host"}}
TABLE: dict[str, Any] = {
    "version": 1,
    "callers": CALLERS,
    "refusals": {
        "unknown": {"code": "NO_SUCH_TOOL", "retry": "no", "text": "no {name}"}
    },
    "routes": [
        {"kind": "look", "names": ["look"]},
        {"kind": "open_door", "names": ["open_door"]},
        {"kind": "ring_bell", "names": ["ring_bell"]},
    ],
    "otherwise": "unknown",
}
HOST = '''
from toolroute import ToolResult
from toolroute.runtime import Context
from doors import Look, OpenDoor, RingBell, bind


class Everything:
    """Sync and async handlers, mixed."""

    def look(self, route: Look, context: Context) -> ToolResult:
        return ToolResult(route.call.name)

    async def open_door(self, route: OpenDoor, context: Context) -> ToolResult:
        return ToolResult(route.call.name)

    def ring_bell(self, route: RingBell, context: Context) -> ToolResult:
        return ToolResult(route.call.name)


bound = bind(Everything())
'''
Judged = dict[str, str]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Judged]:
    """What each checker says of each file, in one line: nothing where it is content."""
    folder = tmp_path_factory.mktemp("hosts")
    module = text_of(TABLE)
    arm = (
        "        case OpenDoor():\n"
        "            return handlers.open_door(route, context)\n"
    )
    handler = HOST[HOST.index("    async def open_door") : HOST.index("    def ring")]
    assert module.count(arm) == 1
    files = {
        "doors.py": module,
        "whole.py": HOST,
        "armless.py": module.replace(arm, ""),
        "handlerless.py": HOST.replace(handler, ""),
        "other_route.py": HOST.replace("route: OpenDoor", "route: Look"),
        "other_result.py": HOST.replace(
            "route: RingBell, context: Context) -> ToolResult:\n"
            "        return ToolResult(route.call.name)",
            "route: RingBell, context: Context) -> str:\n"
            "        return route.call.name",
        ),
    }
    assert len(set(files.values())) == len(files)
    for name, text in files.items():
        (folder / name).write_text(text)
    return {"mypy": _mypy(folder), "pyright": _pyright(folder)}


def _said(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def _mypy(folder: Path) -> Judged:
    found: Judged = {}
    said = _said(["mypy", "--strict", "--no-error-summary", "."], folder)
    for line in said.splitlines():
        name, _, words = line.partition(":")
        found[name] = found.get(name, "") + words
    return found


def _pyright(folder: Path) -> Judged:
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    said = _said(["pyright", "--pythonpath", sys.executable, "--outputjson"], folder)
    found: Judged = {}
    for each in json.loads(said)["generalDiagnostics"]:
        name = Path(each["file"]).name
        found[name] = found.get(name, "") + each["message"]
    return found


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_host_with_every_handler_is_content_and_nothing_else_is(
    judged: dict[str, Judged], checker: str
) -> None:
    assert sorted(judged[checker]) == [
        "armless.py",
        "handlerless.py",
        "other_result.py",
        "other_route.py",
    ]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("armless.py", "OpenDoor"),
        ("handlerless.py", "open_door"),
        ("other_route.py", "open_door"),
        ("other_result.py", "ring_bell"),
    ],
)
def test_the_message_names_the_kind(
    judged: dict[str, Judged], checker: str, file: str, named: str
) -> None:
    assert named in judged[checker][file]


@pytest.mark.parametrize("checker", [_mypy, _pyright])
def test_a_kind_added_to_the_table_stops_the_host_that_lacks_it(
    tmp_path: Path, checker: Callable[[Path], Judged]
) -> None:
    routes = [*TABLE["routes"], {"kind": "knock", "names": ["knock"]}]
    (tmp_path / "doors.py").write_text(text_of({**TABLE, "routes": routes}))
    (tmp_path / "host.py").write_text(HOST)
    found = checker(tmp_path)
    assert list(found) == ["host.py"]
    assert "knock" in found["host.py"]


def test_the_embedded_host_is_checked_by_both_in_ci() -> None:
    run = (ROOT / ".ci" / "run").read_text()
    assert "bin/mypy\n" in run
    assert "bin/pyright\n" in run
