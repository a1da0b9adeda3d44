"""HTTP to an MCP server, where what goes wrong with one request is that request's own.

The SDK's transport comes down, with every call that is open on it, when one request
can't connect. Here such a request is answered as the server would answer it: with a
JSON-RPC error, which says whether it was sent.
"""

import json
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
)
from http import HTTPStatus
from typing import Any, Final, cast, final

import httpx2 as httpx
from mcp.types import CONNECTION_CLOSED, INTERNAL_ERROR

from toolroute_host._mcp_sending import SENDING, Sending

__all__ = ["NOT_SENT", "Answers", "http_client"]

NOT_SENT: Final = -31_999
"""The JSON-RPC code of a request that was seen never to leave; JSON-RPC has none."""

LARGEST: Final = 50_000_000
"""Bytes of one answer."""

CONNECT: Final = 10.0
"""Seconds for a connection to come about."""

UNKEPT: Final = httpx.Limits(max_keepalive_connections=0)
"""A connection for each request: on one kept from before, a server that has gone looks
like one that took the request."""

NEVER_LEFT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.LocalProtocolError,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
)


def http_client(headers: Mapping[str, str]) -> httpx.AsyncClient:
    """A client that waits for ever: calls and listings have limits of their own."""
    return httpx.AsyncClient(
        headers=dict(headers),
        timeout=httpx.Timeout(None, connect=CONNECT),
        transport=Answers(httpx.AsyncHTTPTransport(limits=UNKEPT, trust_env=False)),
        trust_env=False,
    )


@final
class Answers(httpx.AsyncBaseTransport):
    """Answers for a server that doesn't, and bounds what it answers."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """What the server answers, or the JSON-RPC error that says why it doesn't."""
        asked = request.method == "POST"
        sending = SENDING.get()
        if asked and sending is not None:
            request.extensions["trace"] = _begins(sending)
        try:
            response = await self._inner.handle_async_request(request)
        except httpx.TransportError as error:
            if not asked:
                raise
            left = not isinstance(error, NEVER_LEFT)
            words = str(error) or "the connection broke off"
            return _error(request, CONNECTION_CLOSED if left else NOT_SENT, words)
        status = response.status_code
        if asked and status >= HTTPStatus.BAD_REQUEST and not _spoken_for(response):
            await response.aclose()
            return _error(request, INTERNAL_ERROR, f"it answered with status {status}")
        return httpx.Response(
            status,
            headers=response.headers,
            stream=_Bounded(cast("AsyncIterable[bytes]", response.stream), response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._inner.aclose()


@final
class _Bounded(httpx.AsyncByteStream):
    """An answer up to so many bytes; one that breaks off fails as an answer, alone."""

    def __init__(self, data: AsyncIterable[bytes], response: httpx.Response) -> None:
        self._data = data
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for piece in self._data:
                size += len(piece)
                if size > LARGEST:
                    raise httpx.StreamError(f"an answer of over {LARGEST:,} bytes")
                yield piece
        except httpx.TransportError as error:
            raise httpx.StreamError(str(error)) from error

    async def aclose(self) -> None:
        """Let go of the connection that it comes over."""
        await self._response.aclose()


def _begins(sending: Sending) -> Callable[[str, object], Awaitable[None]]:
    """Has the call begin when its first byte is about to go, on a connection."""

    async def trace(event: str, info: object) -> None:
        del info
        if event == "http11.send_request_headers.started" and not sending.begin():
            raise httpx.ConnectError("it was called off")

    return trace


def _spoken_for(response: httpx.Response) -> bool:
    """Whether the SDK makes words of this status: of an error in JSON, and of a 404."""
    kind = response.headers.get("content-type", "").lower()
    gone = response.status_code == HTTPStatus.NOT_FOUND
    return gone or kind.startswith("application/json")


def _error(request: httpx.Request, code: int, words: str) -> httpx.Response:
    """What answers a request with an error; a notification gets no answer."""
    asked: Any = json.loads(request.content)
    error = {"code": code, "message": words}
    content = {"jsonrpc": "2.0", "id": asked.get("id"), "error": error}
    return httpx.Response(HTTPStatus.SERVICE_UNAVAILABLE, json=content)
