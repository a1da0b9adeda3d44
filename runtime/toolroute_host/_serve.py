"""A host that runs, spoken to in lines of JSON: requests in, answers and wakes out.

    {"id": 1, "name": "think", "as": "turn", "agent": "ada", "input": {"content": "hm"}}
    {"channel": "lobby", "author": "mia", "content": "hello"}

Answers come as they're ready, each with the `id` of its request:

    {"id": 1, "content": {"noted": true}, "is_error": false}
    {"wake": "ada", "why": "mia on lobby"}
    {"id": 2, "trouble": "..."}

Requests may overlap; an agent has one turn at a time, so its turns wait for each other.
"""

import asyncio
import json
import logging
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from contextlib import nullcontext, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, cast, final, get_args

from toolroute import ProtocolError, ToolCall
from toolroute.runtime import LedgerError
from toolroute_host._json_text import loads
from toolroute_host._one_call import made, made_as
from toolroute_host._unusable import UnusableError
from toolroute_host.assembly import Hosted, opened
from toolroute_host.channels import UnknownChannel
from toolroute_host.config import ConfigError
from toolroute_host.dispatch import Caller
from toolroute_host.inbox import Inbox, Wake
from toolroute_host.mcp_config import ServersError
from toolroute_host.store import StoreError

TICK: Final = 1.0
"""Seconds between two looks at the deadlines."""

LOG: Final = logging.getLogger("toolroute_host")

TURNS: Final = frozenset({"turn", "script"})
"""The roads of calls that are made in a turn of their own."""

CALLERS: Final[tuple[str, ...]] = get_args(Caller)


async def serve(
    folder: Path, lines: Iterable[bytes], say: Callable[[str], object]
) -> None:
    """Serve until the lines end, or it's told to; what is running then is awaited."""
    try:
        async with opened(folder) as hosted:
            await _heard(_Desk(hosted, say).run(lines))
    except (ConfigError, LedgerError, ServersError, StoreError) as error:
        raise UnusableError(str(error)) from error


async def _heard(running: Coroutine[Any, Any, None]) -> None:
    try:
        await running
    except BaseExceptionGroup as group:
        if group.subgroup(BrokenPipeError) is None:
            raise
        raise UnusableError(
            "nobody reads the answers any more, so the host stopped."
        ) from None


@final
class _Desk:
    def __init__(self, hosted: Hosted, say: Callable[[str], object]) -> None:
        self._hosted = hosted
        self._inbox = Inbox(hosted.world, hosted.runtime)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._write = say

    async def run(self, lines: Iterable[bytes]) -> None:
        arrived: asyncio.Queue[bytes | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        _read(lines, loop, arrived)
        with suppress(NotImplementedError, RuntimeError, ValueError):  # another thread
            loop.add_signal_handler(signal.SIGTERM, arrived.put_nowait, None)
        async with asyncio.TaskGroup() as tasks:
            ticking = tasks.create_task(self._tick())
            while (line := await arrived.get()) is not None:
                if line.strip():
                    tasks.create_task(self._request(line))
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            self._wake(self._inbox.due())
            await asyncio.sleep(TICK)

    async def _request(self, line: bytes) -> None:
        number: Any = None
        try:
            request = _parsed(line)
            number = request.get("id")
            if "channel" in request:
                self._receive(request)
            else:
                await self._call(number, request)
        except BrokenPipeError:
            raise
        except (UnusableError, ProtocolError) as error:
            self._say(id=number, trouble=str(error))
        except Exception:
            LOG.exception("A request wasn't served")
            self._say(id=number, trouble="the host's own; its log says more")

    async def _call(self, number: Any, request: dict[str, Any]) -> None:
        name, given = request.get("name"), request.get("input", {})
        caller, agent = request.get("as", "host"), request.get("agent")
        if not isinstance(name, str) or not isinstance(given, dict):
            raise UnusableError("`name` is a string, and `input` an object")
        if caller not in CALLERS:
            raise UnusableError(f"`as` is one of {', '.join(CALLERS)}")
        if agent is not None and not isinstance(agent, str):
            raise UnusableError("`agent` is a string, or null")
        call = ToolCall(f"call_{token_hex(12)}", name, cast("dict[str, Any]", given))
        road = cast("Caller", caller)
        known = made_as(self._hosted, road, agent)
        async with self._turns[known or ""] if road in TURNS else nullcontext():
            answer = await made(self._hosted, call, road, known)
        self._say(id=number, content=answer.content, is_error=answer.is_error)

    def _receive(self, request: dict[str, Any]) -> None:
        said = [request.get(key) for key in ("channel", "author", "content")]
        tags: object = request.get("tags", [])
        texts = [*said, *cast("list[object]", tags if isinstance(tags, list) else [0])]
        if not all(isinstance(each, str) for each in texts):
            raise UnusableError(
                "`channel`, `author` and `content` are strings, `tags` a list of them"
            )
        channel, author, content, *more = cast("list[str]", texts)
        try:
            self._wake(self._inbox.receive(channel, author, content, more))
        except UnknownChannel as error:
            raise UnusableError(f"there is no channel {channel}") from error
        except LookupError as error:
            raise UnusableError(str(error)) from error

    def _wake(self, wakes: Iterable[Wake]) -> None:
        for wake in wakes:
            self._say(wake=wake.agent, why=wake.why)

    def _say(self, **message: Any) -> None:
        self._write(json.dumps(message) + "\n")


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        read = loads(line)
    except ValueError as error:
        raise UnusableError(f"a request is a line of JSON: {error}") from error
    if not isinstance(read, dict):
        raise UnusableError("a request is a JSON object")
    return cast("dict[str, Any]", read)


def _read(
    lines: Iterable[bytes],
    loop: asyncio.AbstractEventLoop,
    arrived: asyncio.Queue[bytes | None],
) -> None:
    """Put each line in the queue, then `None`; in a thread, since reading waits."""

    def read() -> None:
        try:
            for line in lines:
                loop.call_soon_threadsafe(arrived.put_nowait, line)
            loop.call_soon_threadsafe(arrived.put_nowait, None)
        except RuntimeError:
            pass  # the loop is closed: nobody waits for lines any more

    threading.Thread(target=read, name="toolroute-serve", daemon=True).start()
