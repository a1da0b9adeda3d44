"""A call that was told as not run is never sent later, and the reverse."""

import asyncio

import anyio
import httpx2 as httpx
import pytest
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification

from toolroute_host._mcp_http import NOT_SENT, Answers
from toolroute_host._mcp_sending import SENDING, Sending
from toolroute_host._mcp_streams import watched_pipe

MESSAGE = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="a"))


def test_a_call_begins_or_is_called_off() -> None:
    begun, off, taken_back = Sending(), Sending(), Sending()
    assert (begun.begin(), begun.call_off(), begun.begin()) == (True, False, True)
    assert (off.call_off(), off.begin(), off.call_off()) == (True, False, True)
    taken_back.begin()
    taken_back.take_back()
    assert taken_back.call_off()


class Wire(httpx.AsyncBaseTransport):
    """Connects, and then is about to send."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        trace = request.extensions["trace"]
        await trace("connection.connect_tcp.complete", {})
        assert SENDING.get() is None or not SENDING.get()._begun  # type: ignore[union-attr]
        await trace("http11.send_request_headers.started", {})
        return httpx.Response(200, json={"id": 7})


@pytest.mark.parametrize("called_off", [False, True])
def test_over_http_it_begins_once_there_is_a_connection(*, called_off: bool) -> None:
    sending = Sending()
    if called_off:
        sending.call_off()

    async def post() -> httpx.Response:
        SENDING.set(sending)
        async with httpx.AsyncClient(transport=Answers(Wire())) as client:
            return await client.post("http://a.example", json={"id": 7})

    answer = asyncio.run(post()).json()
    if called_off:
        assert answer["error"] == {"code": NOT_SENT, "message": "it was called off"}
    else:
        assert answer == {"id": 7}
        assert not sending.call_off()


class Pipe:
    """A transport of two streams, whose far ends are at hand."""

    def __init__(self) -> None:
        self.out, self.reads = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ](1)
        self.writes, self.taken = anyio.create_memory_object_stream[SessionMessage](1)

    async def __aenter__(self) -> TransportStreams:
        return self.reads, self.writes

    async def __aexit__(self, *raised: object) -> None:
        for each in (self.out, self.reads, self.writes, self.taken):
            each.close()


def test_over_a_pipe_it_begins_when_it_is_written_and_not_when_nobody_reads() -> None:
    async def within() -> None:
        pipe, over = Pipe(), asyncio.Event()
        async with watched_pipe(pipe, over) as (reads, writes):
            sent, off, unread = Sending(), Sending(), Sending()
            SENDING.set(sent)
            await writes.send(MESSAGE)
            assert not sent.call_off()
            off.call_off()
            SENDING.set(off)
            with pytest.raises(anyio.ClosedResourceError):
                await writes.send(MESSAGE)
            assert pipe.taken.receive_nowait() is MESSAGE
            pipe.taken.close()
            SENDING.set(unread)
            with pytest.raises(anyio.BrokenResourceError):
                await writes.send(MESSAGE)
            assert unread.call_off()
            assert not over.is_set()
            pipe.out.close()
            with pytest.raises(anyio.EndOfStream):
                await reads.receive()
            assert over.is_set()

    asyncio.run(within())
