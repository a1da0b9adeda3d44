"""Runs handlers: inline, in a task, or in a thread. This is the file that awaits.

Laws:

- A handler runs only for a call that is recorded as started, and once.
- Whatever it returns or raises becomes the call's answer, or is late; nothing of it
  reaches a sibling or the event loop, except `KeyboardInterrupt` on the loop's own
  thread, which is passed on once the answer is there.
- A closed call's task is cancelled; a thread can't be, so its handler is left to end,
  and asked to by its context.
"""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from types import CoroutineType
from typing import TypeAlias, final

from toolroute._calls import ProtocolError, ToolResult
from toolroute.routing import Answering, ServerPlane
from toolroute.runtime._answer import Answer
from toolroute.runtime._clock import Clock
from toolroute.runtime._context import Context
from toolroute.runtime._desk import Desk
from toolroute.runtime._event import Cause
from toolroute.runtime._life import Ending
from toolroute.runtime._limits import Limits
from toolroute.runtime._outcome import gave, raised
from toolroute.runtime._tracked import Tracked, Work

Run: TypeAlias = Callable[[ServerPlane, Context], Answering]


@final
@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


async def _held(given: Awaitable[object]) -> object:
    """What it gives, or what it raised where asyncio would let that through."""
    try:
        return await given
    except (KeyboardInterrupt, SystemExit) as error:
        return _Raised(error)


def _drop(given: Awaitable[object]) -> None:
    """What it would give is wanted no longer."""
    if isinstance(given, CoroutineType):
        given.close()
    elif isinstance(given, asyncio.Future):
        given.cancel()


@final
class Runner:
    """Starts handlers and sees that each call gets its answer from them."""

    __slots__ = (
        *("_clock", "_clocks", "_desk", "_doing", "_idle", "_in_thread", "_run"),
        "calls",
    )

    def __init__(self, run: Run, desk: Desk, limits: Limits) -> None:
        self._run = run
        self._desk = desk
        self._in_thread = limits.in_thread
        self._clock = self._clock_of(limits.seconds)
        self._clocks = {
            kind: self._clock_of(seconds) for kind, seconds in limits.by_kind.items()
        }
        self.calls: set[Tracked] = set()
        self._idle: list[asyncio.Future[None]] = []
        self._doing: dict[asyncio.Task[object], tuple[Tracked, Awaitable[object]]] = {}

    def launch(self, call: Tracked, route: ServerPlane, context: Context) -> None:
        """Run the handler of a call that has just started."""
        if self._in_thread and route.kind in self._in_thread:
            self._launch_thread(call, route, context)
            return
        try:
            given = self._run(route, context)
        except BaseException as error:  # noqa: BLE001 -- whatever it is, it's answered
            self._raised(call, error)
            return
        if isinstance(given, ToolResult) or not inspect.isawaitable(given):
            ending, answer = gave(call, given)
            if call.opened.round is None:
                self._desk.settle(call, ending, answer, "handler")
            else:
                self._end(call, ending, answer, "handler")
        else:
            self._follow(call, given)

    def stop(self, call: Tracked, cause: Cause) -> None:
        """Answer it without its handler, of what was seen, and have that stop."""
        if call.state == "answered":
            return
        self._end(call, "closed", call.closing(call.name), cause)
        for script in call.scripts or ():
            script.stop()
        if call.work is not None and call.work.task is not None:
            call.work.task.cancel()

    @property
    def tasks(self) -> Collection[asyncio.Task[object]]:
        """What handlers run in, also those whose calls are answered."""
        return self._doing.keys()

    def _clock_of(self, seconds: float | None) -> Clock | None:
        return None if seconds is None else Clock(seconds, self._out_of_time)

    async def idle(self, seconds: float | None) -> None:
        """Wait until no handler runs whose call still wants an answer."""
        if self.calls:
            idle = asyncio.get_running_loop().create_future()
            self._idle.append(idle)
            await asyncio.wait([idle], timeout=seconds)

    def _follow(self, call: Tracked, given: Awaitable[object]) -> None:
        """Run what the handler gave to its end, in a task."""
        if call.state == "answered":
            _drop(given)
            return
        try:
            loop = self._loop(call)
        except ProtocolError:
            _drop(given)
            raise
        work = call.work or self._begin(call)
        work.task = task = loop.create_task(_held(given))
        self._doing[task] = call, given
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[object]) -> None:
        call, given = self._doing.pop(task)
        if not task.cancelled():
            error = task.exception()
            value = _Raised(error) if error is not None else task.result()
            self._settle(call, value)
            return
        _drop(given)
        if task.cancelling():
            self.stop(call, "interrupted")
        else:
            self._raised(call, asyncio.CancelledError())

    def _launch_thread(
        self, call: Tracked, route: ServerPlane, context: Context
    ) -> None:
        loop = self._loop(call)
        self._begin(call)
        around = contextvars.copy_context()

        def work() -> None:
            try:
                value: object = around.run(self._run, route, context)
            except BaseException as error:  # noqa: BLE001 -- whatever it is, it's answered
                value = _Raised(error)
            with suppress(RuntimeError):  # the loop is closed, and the call with it
                loop.call_soon_threadsafe(
                    self._from_thread, call, value, context=around
                )

        try:
            threading.Thread(target=work, name="toolroute-handler", daemon=True).start()
        except RuntimeError as error:
            self._raised(call, error)

    def _from_thread(self, call: Tracked, value: object) -> None:
        if not isinstance(value, ToolResult) and inspect.isawaitable(value):
            self._follow(call, value)
        elif isinstance(value, _Raised) and isinstance(value.error, KeyboardInterrupt):
            ending, answer = raised(call, value.error)
            self._end(call, ending, answer, "handler", value.error)
        else:
            self._settle(call, value)

    def _loop(self, call: Tracked) -> asyncio.AbstractEventLoop:
        """The event loop, which a call that isn't over at once needs."""
        try:
            return asyncio.get_running_loop()
        except RuntimeError:
            error = ProtocolError(
                f"No event loop runs here, and the handler of {call.name} needs one. "
                "Make the call in a coroutine."
            )
            self._raised(call, error)
            raise error from None

    def _begin(self, call: Tracked) -> Work:
        """Count it as running, with the time that it has."""
        call.work = work = Work()
        self.calls.add(call)
        kind = "" if call.route is None else call.route.kind
        work.clock = clock = self._clocks.get(kind, self._clock)
        if clock is not None:
            clock.start(call)
        return work

    def _out_of_time(self, call: Tracked) -> None:
        self.stop(call, "time limit")

    def _settle(self, call: Tracked, value: object) -> None:
        if isinstance(value, _Raised):
            self._raised(call, value.error)
        else:
            self._gave(call, value)

    def _gave(self, call: Tracked, value: object) -> None:
        ending, answer = gave(call, value)
        self._end(call, ending, answer, "handler")

    def _raised(self, call: Tracked, error: BaseException) -> None:
        ending, answer = raised(call, error)
        self._end(call, ending, answer, "handler", error)
        if isinstance(error, KeyboardInterrupt):
            raise error

    def _end(
        self,
        call: Tracked,
        ending: Ending,
        answer: Answer,
        cause: Cause,
        error: BaseException | None = None,
    ) -> None:
        desk = self._desk
        if call.opened.round is None:
            ended = desk.settle(call, ending, answer, cause, error)
        else:
            ended = desk.end(call, ending, answer, cause, error)
            desk.flush_soon()
        if ended and call.work is not None:
            self._is_over(call, call.work)

    def _is_over(self, call: Tracked, work: Work) -> None:
        if work.clock is not None:
            work.clock.stop(call)
        self.calls.discard(call)
        if not self.calls:
            for idle in self._idle:
                idle.set_result(None)
            self._idle.clear()
