"""MCP servers that do what none should: what's told of them is what was seen."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer
from toolroute_host import mcp_links
from toolroute_host._mcp_http import LARGEST, NOT_SENT, Answers
from toolroute_host._mcp_stderr import StdErr
from toolroute_host.dispatch import surface
from toolroute_host.mcp_config import ServerConfig, Stdio
from toolroute_host.mcp_links import McpLinks
from toolroute_host.view import View

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

FOLDER = Path(__file__).parent / "servers"


def rude(way: str = "", name: str = "w", seconds: float = 20.0) -> ServerConfig:
    args = (str(FOLDER / "rude.py"), way)
    return ServerConfig(
        name, Stdio(sys.executable, args, {"KEY": "hunter2"}), name, seconds=seconds
    )


def linked(
    roads: "Roads",
    act: Callable[["HostRuntime", McpLinks], Coroutine[Any, Any, None]],
    *servers: ServerConfig,
) -> None:
    async def within(runtime: "HostRuntime") -> None:
        links = McpLinks(roads.world, servers)
        try:
            async with asyncio.timeout(90):
                await links.start()
                await act(runtime, links)
        finally:
            await links.stop()

    roads.run(within)


async def ask(runtime: "HostRuntime", name: str) -> Answer:
    return await runtime.host("ada").call(ToolCall("1", name))


def error(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = answer.content["error"]
    return found


def listed(roads: "Roads") -> set[str]:
    view = View(roads.world, roads.world.agents["ada"])
    return {name for name in surface("turn", view) if name.startswith("w--")}


def test_what_answers_in_its_own_way_is_told_as_it_answered(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del links
        assert (await ask(runtime, "w--structured")).content == {"a": 1}
        assert error(await ask(runtime, "w--mismatch")) == {
            "code": "TOOL_FAILED",
            "message": "w--mismatch was answered with what isn't an answer of its "
            "kind, so it may have taken effect: Invalid structured content returned by "
            "tool mismatch: 'no' is not of type 'integer'",
            "retry": "check-first",
        }
        shapeless = error(await ask(runtime, "w--shapeless"))
        assert shapeless["message"].startswith("w--shapeless was answered with what")
        assert error(await ask(runtime, "w--much")) == {
            "code": "TOOL_FAILED",
            "message": "w--much was run, and its answer is too long to be passed on: "
            "11,000,002 characters, where 10,000,000 are the most.",
            "retry": "check-first",
        }
        for _ in range(2):
            assert (await ask(runtime, "w--junk")).content == "junk"
        assert "w--say" in listed(roads)
        assert "w--bad\nname" not in listed(roads)
        assert error(await ask(runtime, "w--bad\nname"))["code"] == "NO_SUCH_TOOL"

    linked(roads, act, rude())
    (record,) = caplog.records
    assert record.getMessage() == (
        "The server w wrote what isn't a message to its standard output; that is left "
        "aside"
    )


@pytest.mark.parametrize(
    "server",
    [
        rude(),
        ServerConfig("w", Stdio(sys.executable, (str(FOLDER / "words.py"),)), "w"),
    ],
    ids=["told unasked", "asked to tell"],
)
def test_a_server_that_says_its_tools_changed_is_listed_again(
    roads: "Roads", server: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_links, "RELIST", 600.0)

    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del links
        assert "w--learnt" not in listed(roads)
        assert (await ask(runtime, "w--learn")).content == "learn"
        while "w--learnt" not in listed(roads):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (await ask(runtime, "w--learnt")).content == "learnt"

    linked(roads, act, server)


def test_a_call_to_a_server_that_is_gone_was_not_run(roads: "Roads") -> None:
    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        assert roads.world.mcpl_registry is not None
        target = roads.world.mcpl_registry.owner("w--say")
        assert target is not None
        await links.stop()
        roads.world.mcpl_registry.connect(target.server)
        assert error(await ask(runtime, "w--say")) == {
            "code": "TOOL_NOT_EXECUTED",
            "message": "w--say was not run, so nothing was done. Call it again if it "
            "is still needed.",
            "retry": "yes",
        }

    linked(roads, act, rude())


def test_a_server_that_crashes_again_and_again_gets_longer_pauses(
    roads: "Roads",
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcp_links, "FIRST_PAUSE", 0.01)

    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del runtime, links
        while len(caplog.records) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    linked(roads, act, rude("crash"))
    assert [each.getMessage() for each in caplog.records[:4]] == [
        f"The server w went away (Connection closed); the next try is in {wait} seconds"
        for wait in ("0.01", "0.02", "0.04", "0.08")
    ]


def test_a_server_that_says_nothing_holds_nobody_up(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_links, "START", 0.2)
    monkeypatch.setattr(mcp_links, "PATIENCE", 600.0)

    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del links
        assert not (await ask(runtime, "think")).is_error
        assert error(await ask(runtime, "w--say"))["message"] == "Module not found: w"

    linked(roads, act, rude("silent"))


def test_a_server_that_floods_its_standard_error_answers(
    roads: "Roads", capfd: pytest.CaptureFixture[str]
) -> None:
    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del links
        assert (await ask(runtime, "w--say")).content == "say"

    linked(roads, act, rude("flood"))
    assert capfd.readouterr().err == ""


def test_last_words_are_told_on_one_line_and_without_what_is_secret(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    async def act(runtime: "HostRuntime", links: McpLinks) -> None:
        del runtime, links

    linked(roads, act, rude("refuse"))
    assert caplog.records[0].getMessage() == (
        "The server w isn't connected (Connection closed; its last words: no way with "
        r"the key ***\x1b[31m); the next try is in 0.5 seconds"
    )


def test_of_a_long_standard_error_the_end_is_kept() -> None:
    stderr = StdErr()
    for piece in (b"first\n", b"x" * 5_000, b"\nlast ", b"line\n\n"):
        stderr.data_received(piece)
    assert stderr.last() == "last line"


class Wire(httpx.AsyncBaseTransport):
    """Answers each request with what's next, or raises it."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        answer.request = request
        return answer


class Pieces(httpx.AsyncByteStream):
    """So much, in pieces, or until it breaks off."""

    def __init__(self, pieces: int, *, breaks: bool = False) -> None:
        self._pieces = pieces
        self._breaks = breaks

    async def __aiter__(self) -> Any:
        for _ in range(self._pieces):
            yield bytes(1_000_000)
        if self._breaks:
            raise httpx.ReadError("reset by peer")


def posted(answer: httpx.Response | Exception) -> httpx.Response:
    async def post() -> httpx.Response:
        async with httpx.AsyncClient(transport=Answers(Wire(answer))) as client:
            return await client.post("http://a.example", json={"id": 7})

    return asyncio.run(post())


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (httpx.ConnectError("refused"), NOT_SENT, "refused"),
        (httpx.ConnectTimeout("slow"), NOT_SENT, "slow"),
        (httpx.ReadError("reset by peer"), -32000, "reset by peer"),
        (httpx.RemoteProtocolError("bad"), -32000, "bad"),
        (httpx.Response(502), -32603, "it answered with status 502"),
        (httpx.Response(401), -32603, "it answered with status 401"),
    ],
    ids=str,
)
def test_a_request_that_goes_wrong_is_answered_by_itself(
    answer: httpx.Response | Exception, code: int, words: str
) -> None:
    assert posted(answer).json() == {
        "jsonrpc": "2.0",
        "id": 7,
        "error": {"code": code, "message": words},
    }


@pytest.mark.parametrize("status", [200, 202, 307, 404])
def test_other_answers_come_through(status: int) -> None:
    got = posted(httpx.Response(status, content=b"as it is"))
    assert (got.status_code, got.content) == (status, b"as it is")


def test_an_answer_that_is_too_long_or_breaks_off_is_no_answer() -> None:
    longest = LARGEST // 1_000_000
    assert len(posted(httpx.Response(200, stream=Pieces(longest))).content) == LARGEST
    with pytest.raises(httpx.StreamError, match="over 50,000,000 bytes"):
        posted(httpx.Response(200, stream=Pieces(longest + 1)))
    with pytest.raises(httpx.StreamError, match="reset by peer"):
        posted(httpx.Response(200, stream=Pieces(1, breaks=True)))
