"""One connection to an MCP server, and what was seen of each call on it."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final, final

from mcp import Client, MCPError
from mcp.types import (
    CONNECTION_CLOSED,
    INVALID_REQUEST,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
    CallToolResult,
)

from toolroute import ToolError, ToolResult, not_executed, outcome_unknown
from toolroute._text import one_line
from toolroute_host import _mcp_content
from toolroute_host._mcp_http import NOT_SENT
from toolroute_host._mcp_sending import SENDING, Sending
from toolroute_host.mcp_config import ServerConfig
from toolroute_host.references import References

__all__ = ["McpConnection"]

GRACE: Final = 5.0
"""Seconds beyond a server's own limit, for a call that it doesn't even take."""

LONGEST: Final = 10_000_000
"""Characters of one answer, as JSON."""

UNANSWERED: Final = frozenset({CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT})
"""No answer, or one that nobody can read: it may have taken effect."""

ENDED: Final = (INVALID_REQUEST, "Session terminated")
"""How the SDK says that the server knows this session no more, so takes nothing."""


@final
class McpConnection:
    """One connection's calls; `look` has it looked at whether the server is there."""

    def __init__(
        self,
        client: Client,
        config: ServerConfig,
        references: References,
        look: Callable[[], None],
    ) -> None:
        self._client = client
        self._config = config
        self._references = references
        self._look = look

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """What the server answers, its errors too; what never left wasn't run."""
        name = f"{self._config.prefix}--{tool}"
        sending = Sending()
        token = SENDING.set(sending)
        try:
            answer = await self._answer(tool, arguments)
        except MCPError as error:
            return self._told(name, error, sending)
        except TimeoutError as error:
            raise _unknown(name, sending) from error
        except Exception as error:
            raise _strange(name, error, sending) from error
        finally:
            SENDING.reset(token)
        return _bounded(name, _mcp_content.result(answer, self._references))

    async def _answer(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        seconds = self._config.seconds
        async with asyncio.timeout(seconds + GRACE):
            return await self._client.call_tool(
                tool, arguments, read_timeout_seconds=seconds
            )

    def _told(self, name: str, error: MCPError, sending: Sending) -> ToolResult:
        """An error of the server's own as one; else what was seen of the call."""
        code, message = error.error.code, error.error.message
        if code == NOT_SENT or (code, message) == ENDED:
            self._look()
            raise _never_run(name) from error
        if code in UNANSWERED:
            if code == CONNECTION_CLOSED:
                self._look()
            raise _unknown(name, sending) from error
        return ToolResult(one_line(message, 2_000), is_error=True)


def _bounded(name: str, result: ToolResult) -> ToolResult:
    size = len(json.dumps(result.content, ensure_ascii=False))
    if size <= LONGEST:
        return result
    raise ToolError(
        f"{name} was run, and its answer is too long to be passed on: {size:,} "
        f"characters, where {LONGEST:,} are the most.",
        retry="check-first",
    )


def _never_run(name: str) -> ToolError:
    said = not_executed(name)["error"]
    return ToolError(said["message"], code=said["code"], retry=said["retry"])


def _unknown(name: str, sending: Sending) -> ToolError:
    if sending.call_off():
        return _never_run(name)
    said = outcome_unknown(name)["error"]
    return ToolError(said["message"], code=said["code"], retry=said["retry"])


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _strange(name: str, error: Exception, sending: Sending) -> ToolError:
    """Of an answer that came, and isn't what the server says that it gives."""
    if sending.call_off():
        return _never_run(name)
    return ToolError(
        f"{name} was answered with what isn't an answer of its kind, so it may have "
        f"taken effect: {one_line(_first_line(error))}",
        retry="check-first",
    )
