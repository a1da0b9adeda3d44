"""A host's folder: what its file says, one call against it, and others' modules."""

import asyncio
import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Answer, Context, Module
from toolroute_host import commands
from toolroute_host.assembly import opened
from toolroute_host.config import ConfigError, HostConfig, load, parse
from toolroute_host.plugins import add_plugins

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

WHOLE = """
[agents.ada]
primary = true
channel = "lobby"
explicit_prose = true

[agents.fay]
home = "fay-room"
allowed_tools = ["think", "channel_publish", "files--read"]

[channels]
lobby = {title = "the lobby"}
fay-room = {}
log = {file = "logs/log.jsonl"}

[workspace]
pictures = "pictures"

[files]
folder = "notes"

[toolsets.archive]
tools = ["files--delete"]

[fetch]
hosts = ["pages.example"]
seconds = 5

[scripts]
seconds = 2.5
"""


def called(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        commands.call, [*arguments, "--host", str(folder)], standalone_mode=False
    )


def answer(result: Result) -> Any:
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def test_a_folder_without_a_file_is_a_host_of_one_agent(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    thought = called(folder, "think", "--as", "turn", "--input", '{"content": "hm"}')
    assert thought.return_value == 0
    assert answer(thought)["noted"] is True
    listed = called(folder, "channel_list", "--as", "puppet")
    assert [each["channelId"] for each in answer(listed)["channels"]] == ["local"]
    assert load(folder) == HostConfig()
    assert sorted(path.name for path in folder.iterdir()) == [
        "files",
        "host.db",
        "ledger.db",
        "workspace",
    ]


def test_what_a_host_keeps_is_there_in_the_next_call(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_text(WHOLE)
    given = '{"path": "a.txt", "content": "kept"}'
    called(tmp_path, "files--write", "--input", given)
    assert (tmp_path / "notes/a.txt").read_text() == "kept"
    read = called(
        tmp_path,
        "files--read",
        *("--as", "script", "--agent", "fay", "--input", '{"path": "a.txt"}'),
    )
    assert answer(read) == {"path": "a.txt", "content": "kept"}
    said = '{"channelId": "log", "content": "a line"}'
    called(
        tmp_path, "channel_publish", "--as", "puppet", "--agent", "ada", "--input", said
    )
    line = json.loads((tmp_path / "logs/log.jsonl").read_text())
    assert (line["author"], line["content"]) == ("ada", "a line")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("skip_reply", "--as", "puppet", "--agent", "ada"),
            (
                "skip_reply ends the turn it's called in, and this call wasn't made in "
                "a turn, so nothing was done."
            ),
        ),
        (
            ("journal", "--as", "puppet", "--agent", "fay"),
            (
                "puppet refused: tool journal is not on fay's surface, so nothing was "
                "done."
            ),
        ),
        (
            ("journal", "--as", "module", "--agent", "ada"),
            (
                "journal is the agent's own, which a module's call can't make for it, "
                "so nothing was done."
            ),
        ),
        (("nothing",), "Invalid tool name format: nothing, so nothing was done"),
        (
            ("code_execution", "--as", "script", "--agent", "ada"),
            "code_execution cannot be called from within a script",
        ),
        (
            ("toolsets--act", "--agent", "ada", "--input", '{"tool": "files--delete"}'),
            (
                "files--delete is in [archive], which isn't open: toolsets--open "
                '{toolset:"archive"} opens it. Nothing was sent.'
            ),
        ),
    ],
)
def test_an_error_is_printed_and_the_status_is_one(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "host.toml").write_text(WHOLE)
    result = called(tmp_path, *arguments)
    assert result.return_value == 1
    assert answer(result)["error"]["message"] == message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("think", "--agent", "zoe"),
            "there is no agent zoe on this host. There is: ada, fay.",
        ),
        (
            ("think", "--as", "turn"),
            "the call must name one of the host's agents: ada, fay.",
        ),
        (
            ("think", "--input", "["),
            "--input isn't JSON: Expecting value: line 1 column 2 (char 1).",
        ),
        (
            ("think", "--input", "[]"),
            '--input must be a JSON object, like {"path": "a.txt"}.',
        ),
    ],
)
def test_misuse_is_told_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "host.toml").write_text(WHOLE)
    result = called(tmp_path, *arguments)
    assert result.stdout == ""
    assert str(result.exception) == words


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("host.toml", b"agents = 3", "`agents`: input should be a valid dictionary"),
        ("host.toml", b"[agents", "isn't TOML: "),
        ("host.toml", b"\xff", "isn't text in UTF-8"),
        ("servers.json", b"{}", 'must be {"mcpServers": {NAME: {...}, ...}}'),
        ("host.db", b"no database" * 100, "can't be used as the host's store"),
        ("ledger.db", b"no database" * 100, ""),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(data)
    result = called(tmp_path, "think")
    said = str(result.exception)
    assert name in said
    assert words in said
    assert (tmp_path / name).read_bytes() == data


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[agents.ada]\nprimry = true", "there is no `agents.ada.primry` here"),
        (
            "[agents.ada]\nprimary = 1",
            "`agents.ada.primary`: input should be a valid boolean",
        ),
        (
            '[files]\nfolder = "../notes"',
            "`files.folder`: must be a path beneath the host's folder, like `a/b`",
        ),
        (
            '[workspace]\npictures = "/etc"',
            (
                "`workspace.pictures`: must be a path beneath the host's folder, like "
                "`a/b`"
            ),
        ),
        (
            '[fetch]\nhosts = ["https://a.example/"]',
            (
                "`fetch.hosts.0`: must be a host, like `a.example`, `*.a.example` or "
                "`a.example:80`"
            ),
        ),
        ("[scripts]\nseconds = 0", "`scripts.seconds`: input should be greater than 0"),
    ],
)
def test_what_a_host_cannot_be_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text)
    assert str(refused.value) == words


def test_an_agent_that_contradicts_itself_is_told(tmp_path: Path) -> None:
    (tmp_path / "host.toml").write_text('[agents.a]\nprimary = true\nhome = "x"\n')
    result = called(tmp_path, "think")
    assert str(result.exception) == "a is the primary agent, so it isn't a fork"


def test_a_hosts_tool_servers_are_its_own(tmp_path: Path) -> None:
    server = str(Path(__file__).parent / "servers/words.py")
    (tmp_path / "servers.json").write_text(
        json.dumps(
            {"mcpServers": {"words": {"command": sys.executable, "args": [server]}}}
        )
    )

    async def act() -> Answer:
        async with opened(tmp_path) as hosted:
            call = ToolCall("1", "words--define", {"word": "a"})
            return await hosted.runtime.host(None).call(call)

    assert asyncio.run(act()).content == "the meaning of a"


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
