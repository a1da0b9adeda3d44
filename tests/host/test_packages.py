"""Modules that other packages bring."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Answer, Context, Module
from toolroute_host.plugins import add_plugins

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads


class Greeter:
    """A module of somebody else's, that makes calls of its own."""

    def __init__(self, handle: Module) -> None:
        self.handle = handle

    @property
    def name(self) -> str:
        return "greeter"

    def tools(self) -> tuple[str, ...]:
        return ("greet",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        del tool, call, context
        thought = await self.handle.call(ToolCall("1", "think"), agent="ada")
        return ToolResult(thought.content["error"]["message"])


def broken(handle: Module) -> Greeter:
    raise RuntimeError(f"{handle.name} is broken")


def leaving(handle: Module) -> Greeter:
    raise SystemExit(f"{handle.name} goes, and takes nobody along")


class Empty:
    """A module that answers with what is no answer."""

    def __init__(self, handle: Module) -> None:
        self.name = handle.name

    def tools(self) -> tuple[str, ...]:
        return ("now", "later")

    def call(self, tool: str, call: ToolCall, context: Context) -> Any:
        del call, context
        return self._later() if tool == "later" else {"a": 1}

    async def _later(self) -> None:
        return None


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"{__name__}:{value}", "toolroute.modules")


def test_modules_of_other_packages_are_added_and_a_broken_one_is_left_out(
    roads: "Roads",
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Greeter.__module__])

    async def act(runtime: "HostRuntime") -> tuple[list[str], Answer]:
        points = [
            point("greeter", "Greeter"),
            point("broken", "broken"),
            point("misnamed", "Greeter"),
            point("greeter", "Greeter"),
            point("missing", "nothing"),
            point("leaving", "leaving"),
        ]
        added = add_plugins(roads.world, runtime, points)
        host = runtime.host("ada")
        return added, await host.call(ToolCall("1", "greeter--greet"))

    added, answered = roads.run(act)
    assert added == ["greeter"]
    assert answered.content == (
        "think is the agent's own, which a module's call can't make for it, so nothing "
        "was done."
    )
    assert [each.getMessage() for each in caplog.records] == [
        "The module broken isn't added: it can't be made",
        "The module misnamed isn't added: it calls itself 'greeter'",
        (
            "The module greeter isn't added: The module greeter is registered already; "
            "it has its handle, which nobody else gets."
        ),
        "The module missing isn't added: it can't be made",
        "The module leaving isn't added: it can't be made",
    ]


@pytest.mark.parametrize(
    ("tool", "words"),
    [("now", "what it gave isn't a result"), ("later", "it gave no result")],
)
def test_what_a_module_answers_that_is_no_answer_is_told(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch, tool: str, words: str
) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Empty.__module__])

    async def act(runtime: "HostRuntime") -> Answer:
        assert add_plugins(roads.world, runtime, [point("empty", "Empty")]) == ["empty"]
        return await runtime.host("ada").call(ToolCall("1", f"empty--{tool}"))

    said = roads.run(act).content["error"]["message"]
    assert said == f"empty--{tool} couldn't answer: {words}"


def test_a_package_that_is_installed_brings_its_module(tmp_path: Path) -> None:
    (tmp_path / "greetings.py").write_text(
        "from toolroute import ToolResult\n"
        "class Greeter:\n"
        "    name = 'greeter'\n"
        "    def __init__(self, handle): pass\n"
        "    def tools(self): return ['greet']\n"
        "    def call(self, tool, call, context): return ToolResult('Hello.')\n"
    )
    about = tmp_path / "greetings-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: greetings\n")
    (about / "entry_points.txt").write_text(
        "[toolroute.modules]\n"
        "greeter = greetings:Greeter\nterminal = greetings:Greeter\n"
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "toolroute", "call", "greeter--greet"),
            *("--host", str(tmp_path / "host"), "--as", "turn"),
        ],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, json.loads(done.stdout)) == (0, "Hello.")
    assert done.stderr == (
        "The module terminal isn't added: The module terminal is registered already; "
        "it has its handle, which nobody else gets.\n"
    )


def test_the_command_is_one_of_toolroutes(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "toolroute", "call", "think"),
            *("--host", str(tmp_path / "host")),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["noted"] is True
