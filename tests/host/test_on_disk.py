"""A host in a folder: what it keeps, what it is told, what it cannot be."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer
from toolroute_host.assembly import opened
from toolroute_host.config import ConfigError, HostConfig, load, parse

from .terminal import answer, called

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
