"""Real MCP servers: listed, called, failing, dying, silent, and back again."""

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolError
from toolroute.runtime import Answer
from toolroute_host import mcp_links
from toolroute_host.dispatch import surface
from toolroute_host.mcp_config import (
    Http,
    ServerConfig,
    ServersError,
    Stdio,
    load,
    parse,
)
from toolroute_host.mcp_links import McpLinks
from toolroute_host.mcpl import ToolPolicy
from toolroute_host.view import View

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

SERVER = str(Path(__file__).parent / "servers/words.py")
STDIO = Stdio(sys.executable, (SERVER,), {"GIVEN": "to it"})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_links, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(mcp_links, "LONGEST_PAUSE", 0.2)


def linked(
    roads: "Roads",
    act: Callable[["HostRuntime"], Coroutine[Any, Any, None]],
    *servers: ServerConfig,
) -> None:
    async def within(runtime: "HostRuntime") -> None:
        links = McpLinks(roads.world, servers)
        try:
            async with asyncio.timeout(90):
                await links.start()
                await act(runtime)
        finally:
            await links.stop()

    roads.run(within)


async def ask(runtime: "HostRuntime", name: str, **given: Any) -> Answer:
    return await runtime.host("ada").call(ToolCall("1", name, given))


async def on_each_road(runtime: "HostRuntime", call: ToolCall) -> list[Answer]:
    async with runtime.turn("ada") as turn:
        answers = list(await turn.run([call]))
        answers.append(await turn.script().call(call))
    answers.append(await runtime.host("ada").call(call))
    answers.append(await runtime.puppet("ada").call(call))
    answers.append(await runtime.module("roads").call(call, agent="ada"))
    return answers


async def back(runtime: "HostRuntime", name: str) -> Answer:
    """What a server answers once it's there."""
    answer = await ask(runtime, name, word="a")
    while answer.is_error:
        await asyncio.sleep(0.05)
        answer = await ask(runtime, name, word="a")
    return answer


def message(answer: Answer) -> tuple[str, str]:
    error = answer.content["error"]
    return error["code"], error["message"]


def test_a_server_over_standard_streams(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEDGER_KEY", "what nobody else may know")
    for part in ("mcpl_registry", "channel_registry"):
        setattr(roads.world, part, None)
    server = ServerConfig("w", STDIO, "w", ToolPolicy(deny=("fail",)), seconds=20)
    nested = ServerConfig("deep", STDIO, "w--deep", seconds=20)

    async def act(runtime: "HostRuntime") -> None:
        assert roads.world.channel_registry is not None
        assert (await ask(runtime, "w--define", word="a")).content == (
            "the meaning of a"
        )
        assert (await ask(runtime, "w--agent_settings")).content == "the server's own"
        own = await ask(runtime, "agent_settings", action="get")
        assert "settings" in own.content
        assert (await ask(runtime, "w--deep--define", word="b")).content == (
            "the meaning of b"
        )
        names = surface("turn", View(roads.world, roads.world.agents["ada"]))
        assert "w--define" in names
        assert "w--deep--fail" in names
        assert "w--fail" not in names
        policy = await ask(runtime, "w--fail")
        assert message(policy)[1] == (
            "Tool 'w--fail' is not permitted by this server's tool policy."
        )
        for failed in await on_each_road(runtime, ToolCall("1", "w--deep--fail")):
            assert failed.is_error
            assert "fail" in failed.content
        missing = await ask(runtime, "w--nothing")
        assert missing.is_error
        assert "nothing" in missing.content
        given = (await ask(runtime, "w--environment")).content.split()
        assert "GIVEN" in given
        assert "LEDGER_KEY" not in given
        pointed = await ask(runtime, "w--point")
        assert pointed.content == "[ref_1] a page (fetch_reference gets it)"
        assert roads.world.references.get("ref_1").url == (
            "https://pages.example/secret?key=1"
        )
        snapped = await ask(runtime, "w--snap")
        assert snapped.content[0]["type"] == "image"
        saved = await ask(runtime, "save_recent_image", path="pictures/snap.gif")
        assert saved.content["saved"][0]["bytes"] == 16

    linked(roads, act, server, nested)
    assert list(roads.world.mcpl_registry or ()) == []


def test_a_server_that_dies_in_a_call_leaves_the_outcome_unknown_and_comes_back(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    async def act(runtime: "HostRuntime") -> None:
        waiting = runtime.host("ada").start(ToolCall("1", "w--hang"))
        died = await ask(runtime, "w--die")
        assert message(died) == (
            "TOOL_OUTCOME_UNKNOWN",
            (
                "No result of w--die is on record. It may have taken effect: check "
                "before calling it again."
            ),
        )
        assert message(await waiting)[0] == "TOOL_OUTCOME_UNKNOWN"
        assert (await back(runtime, "w--define")).content == "the meaning of a"

    linked(roads, act, ServerConfig("w", STDIO, "w", seconds=20))
    assert [each.getMessage() for each in caplog.records] == [
        "The server w went away (Connection closed); the next try is in 0.05 seconds"
    ]


def test_a_server_that_never_answers_is_given_up_and_is_still_there(
    roads: "Roads",
) -> None:
    async def act(runtime: "HostRuntime") -> None:
        assert roads.world.mcpl_registry is not None
        hung = await ask(runtime, "w--hang")
        assert message(hung)[0] == "TOOL_OUTCOME_UNKNOWN"
        again = await ask(runtime, "w--define", word="a")
        assert again.content == "the meaning of a"

    linked(roads, act, ServerConfig("w", STDIO, "w", seconds=4))


def test_a_server_over_http_that_appears_later(roads: "Roads") -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    http = Http(f"http://127.0.0.1:{port}/mcp")

    async def act(runtime: "HostRuntime") -> None:
        first = await ask(runtime, "h--define", word="a")
        assert message(first)[1] == "Module not found: h"
        process = await asyncio.create_subprocess_exec(
            sys.executable, SERVER, str(port)
        )
        try:
            assert (await back(runtime, "h--define")).content == "the meaning of a"
            assert (await ask(runtime, "h--fail")).is_error
            assert roads.world.mcpl_registry is not None
            target = roads.world.mcpl_registry.owner("h--define")
            assert target is not None
        finally:
            process.kill()
            await process.wait()
        with pytest.raises(ToolError) as gone:
            await target.server.connection.call("define", {"word": "a"})
        assert gone.value.code == "TOOL_NOT_EXECUTED"

    linked(roads, act, ServerConfig("h", http, "h", seconds=10))


def test_a_server_that_cannot_be_started_harms_nobody(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    async def act(runtime: "HostRuntime") -> None:
        assert not (await ask(runtime, "think")).is_error

    linked(roads, act, ServerConfig("w", Stdio("/no/such/program"), "w"))
    assert "The server w isn't connected (" in caplog.text


def test_a_file_of_servers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    written = {
        "mcpServers": {
            "a": {"command": "x", "args": ["-y"], "env": {"K": "v"}, "deny": ["rm*"]},
            "b": {"url": "https://b.example/mcp", "prefix": "b--c", "seconds": 5},
        }
    }
    path.write_text(json.dumps(written))
    assert load(path) == [
        ServerConfig(
            "a", Stdio("x", ("-y",), {"K": "v"}), "a", ToolPolicy(deny=("rm*",))
        ),
        ServerConfig("b", Http("https://b.example/mcp"), "b--c", seconds=5.0),
    ]


@pytest.mark.parametrize(
    ("servers", "words"),
    [
        ("[]", 'must be {"mcpServers": {NAME: {...}, ...}}'),
        ("{}", 'must be {"mcpServers": {NAME: {...}, ...}}'),
        ("nonsense", "isn't JSON: Expecting value: line 1 column 1 (char 0)"),
        ({"a": 1}, "a must be an object"),
        ({"a": {}}, "a must have a `command` or a `url`, and not both"),
        (
            {"a": {"command": "x", "url": "y"}},
            "a must have a `command` or a `url`, and not both",
        ),
        (
            {"a": {"command": "x", "headers": {}}},
            (
                "a has no key 'headers'. It has allow, args, command, cwd, deny, env, "
                "prefix, seconds, type"
            ),
        ),
        ({"a": {"command": ""}}, "a: `command` must be a string that holds something"),
        ({"a": {"command": "x", "args": "-y"}}, "a: `args` must be a list of strings"),
        (
            {"a": {"command": "x", "env": {"K": 1}}},
            "a: `env` must be an object of strings",
        ),
        (
            {"a": {"command": "x", "seconds": 0}},
            "a: `seconds` must be a positive number",
        ),
        (
            {"a": {"command": "x", "prefix": "--"}},
            (
                "a: '--' can't be a prefix. Give it a `prefix` of letters, digits and "
                "_ . : - for its tools' names to begin with"
            ),
        ),
        (
            {"my server": {"command": "x"}},
            (
                "my server: 'my server' can't be a prefix. Give it a `prefix` of "
                "letters, digits and _ . : - for its tools' names to begin with"
            ),
        ),
        (
            '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
            "isn't JSON: the key 'a' is in one object twice",
        ),
        (
            {"a": {"command": "x", "type": "http"}},
            'a: `type` is "stdio" with a `command`, and "http" with a `url`',
        ),
        (
            {"a": {"command": "x", "args": ["\0"]}},
            "a: no text of a process can hold a NUL",
        ),
        (
            {"a": {"command": "x", "env": {"A=B": "secret"}}},
            "a: a name in `env` can't be empty or hold `=`",
        ),
        *(
            (
                {"a": {"url": url}},
                "a: `url` must be like https://tools.example/mcp",
            )
            for url in ("ftp://a.example?key=secret", "secret", "http://", "http://[")
        ),
        (
            {"a": {"url": "http://b.example", "headers": {"Key": "secret\n"}}},
            (
                "a: the header 'Key' can't be sent: names and values are printable "
                "ASCII on one line"
            ),
        ),
        (
            {"a": {"command": "x"}, "b": {"command": "y", "prefix": "a"}},
            "a and b have the same prefix, a",
        ),
    ],
)
def test_what_is_no_server_is_told(servers: object, words: str) -> None:
    text = servers if isinstance(servers, str) else json.dumps({"mcpServers": servers})
    with pytest.raises(ServersError) as refused:
        parse(text)
    assert str(refused.value) == words


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServersError) as refused:
        load(tmp_path / "none.json")
    assert str(refused.value) == (
        f"{tmp_path / 'none.json'}: can't be read: no such file or directory"
    )
