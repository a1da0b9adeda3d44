"""Real MCP servers: listed, called, failing, dying, silent, and back again."""

import asyncio
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
    Stdio,
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
