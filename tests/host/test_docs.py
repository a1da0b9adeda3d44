"""What docs/host.md shows works as it's written there."""

import asyncio
import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolResult
from toolroute_host.mcp_config import Http, Stdio, parse
from toolroute_host.mcpl import ToolPolicy
from toolroute_host.plugins import add_plugins

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

DOCS = Path(__file__).parents[2] / "docs/host.md"
TEXT = DOCS.read_text("utf-8")
PROGRAM, SCRIPT, MODULE = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
(SERVERS,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)


def test_the_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(PROGRAM, names)  # noqa: S102
    asyncio.run(names["main"]())
    names["world"].close()
    assert capsys.readouterr().out.startswith("{'noted': True, ")


def test_the_module_is_one(roads: "Roads", monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("my_package")
    package.__dict__["ToolResult"] = ToolResult
    exec(MODULE, package.__dict__)  # noqa: S102
    monkeypatch.setitem(sys.modules, "my_package", package)
    point = EntryPoint("greeter", "my_package:Greeter", "toolroute.modules")

    async def act(runtime: "HostRuntime") -> Any:
        assert add_plugins(roads.world, runtime, [point]) == ["greeter"]
        call = ToolCall("1", "greeter--greet", {"who": "Ada"})
        return (await runtime.host(None).call(call)).content

    assert roads.run(act) == "Hello, Ada."


def test_the_script_runs(roads: "Roads") -> None:
    answer = roads.turn("ada", "code_execution", code=SCRIPT)
    assert answer.content == {
        "output": "1 files--read: notes.txt isn't there.\n",
        "error": None,
    }


def test_the_servers_are_read() -> None:
    dictionary, weather = parse(SERVERS)
    assert isinstance(dictionary.transport, Stdio)
    assert (dictionary.prefix, dictionary.policy) == (
        "words",
        ToolPolicy(deny=("forget*",)),
    )
    assert isinstance(weather.transport, Http)
    assert (weather.prefix, weather.seconds) == ("weather", 20.0)


def test_every_tool_of_the_host_is_in_the_table(roads: "Roads") -> None:
    text = DOCS.read_text("utf-8")
    table = text[text.index("| tool |") : text.index("A call made as nobody")]
    for name in (
        *("toolsets--open", "toolsets--act", "channel_list", "utils", "focus"),
        *("agent_settings", "save_recent_image", "read_image", "fetch_reference"),
        *("gate_status", "tune_out", "sleep", "wake", "wake_add_rule", "think"),
        *("wake_remove_rule", "event_tags", "journal", "skip_reply", "drafts"),
        *("code_execution", "heartbeat_status", "heartbeat_set", "prose_help"),
        "files--list",
    ):
        assert f"`{name}`" in table
    assert roads.world.code_execution is not None
