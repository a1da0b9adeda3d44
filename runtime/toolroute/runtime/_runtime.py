"""What a host builds once, and the handles that it gives out."""

import asyncio
import inspect
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar, final

from toolroute._calls import ProtocolError
from toolroute._text import one_line
from toolroute.routing import Bound, ServerPlane
from toolroute.runtime._core import Core
from toolroute.runtime._desk import Desk
from toolroute.runtime._event import Announcer, Observer
from toolroute.runtime._handles import Host, Module
from toolroute.runtime._ledger import Ledger, MemoryLedger
from toolroute.runtime._limits import Limits
from toolroute.runtime._puppet import Puppet
from toolroute.runtime._running import Runner
from toolroute.runtime._seats import Seats
from toolroute.runtime._soon import Soon
from toolroute.runtime._turn import Turn
from toolroute.runtime._who import Who
from toolroute.runtime._window import Window

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
ServerT = TypeVar("ServerT", bound=ServerPlane)

_GRACE: Final = 1.0
"""Seconds that cancelled handlers have to end in, when the runtime closes."""


@final
class Runtime(Generic[CallerT, HostT, ServerT]):
    """Sees to it that every call gets exactly one answer, and a true one.

    `bound` is the generated module with the host's handlers, `view` gives the host as
    an agent sees it (as nobody does, for None), and is asked once a decision. A handle
    decides who calls: never a field of the call. Everything but `Round.post` and
    `Round.disclaim` belongs to one event loop's thread.

    The ledger stays the caller's: close it after the runtime.
    """

    def __init__(  # noqa: PLR0913 -- each has a default, and a name
        self,
        bound: Bound[CallerT, HostT, ServerT],
        view: Callable[[str | None], HostT],
        *,
        ledger: Ledger | None = None,
        observers: Sequence[Observer] = (),
        limits: Limits | None = None,
        window: Window | None = None,
    ) -> None:
        ledger = MemoryLedger() if ledger is None else ledger
        limits = Limits() if limits is None else limits
        for observer in observers:
            if inspect.iscoroutinefunction(observer):
                raise ProtocolError(
                    "Observers are called, and not awaited, so one can't be async: "
                    "give a plain function, which may start a task."
                )
        announcer = Announcer(observers, bound.fingerprint)
        desk = Desk(ledger, announcer, Soon())
        run: Any = bound.run
        runner = Runner(run, desk, limits)
        self._core: Final = Core(bound, view, desk, runner, Seats(window), limits)
        for entry in ledger.recovered:
            announcer.tell("answered", entry.opened, entry.answer, "recovered")

    def turn(
        self,
        agent: str,
        *,
        id: str | None = None,  # noqa: A002
        caller: CallerT | None = None,
    ) -> Turn:
        """A turn of this agent, not begun yet; `id` is the host's own for it."""
        who = Who("turn", self._core.caller("turn", caller), agent)
        return Turn(self._core, who, agent, id)

    def host(self, agent: str | None = None, *, caller: CallerT | None = None) -> Host:
        """The host, as this agent, or as nobody."""
        return Host(self._core, Who("host", self._core.caller("host", caller), agent))

    def puppet(self, agent: str, *, caller: CallerT | None = None) -> Puppet:
        """An operator, as this agent. It needs a window, which stores what is done."""
        who = Who("puppet", self._core.caller("puppet", caller), agent)
        return Puppet(self._core, who, agent)

    def module(self, name: str, *, caller: CallerT | None = None) -> Module:
        """The handle of a module that is being registered: one for each name."""
        core = self._core
        if name in core.modules:
            raise ProtocolError(
                f"The module {one_line(name)} is registered already; it has its "
                "handle, which nobody else gets."
            )
        handle = Module(core, core.caller("module", caller), name)
        core.modules.add(name)
        return handle

    def deliver(self, agent: str, message: Any) -> None:
        """A message for the agent's window: now, or behind the results being made."""
        self._core.seats.deliver(agent, message)

    async def close(self, seconds: float | None = 10.0) -> None:
        """Refuse new calls, wait this long for running ones, and answer the rest.

        Cancelling whoever awaits this ends the wait: the rest is answered then.
        """
        core = self._core
        if asyncio.current_task() in core.runner.tasks:
            raise ProtocolError(
                "A handler can't wait for the runtime to close, since that waits for "
                "the handler. Close it in a task of its own."
            )
        core.closing = True
        try:
            await self._quiet(seconds)
        finally:
            for turn in tuple(core.turns):
                turn.close("closing")
            for call in tuple(core.runner.calls):
                core.runner.stop(call, "closing")
            core.desk.flush()
        if core.runner.tasks:
            await asyncio.wait(core.runner.tasks, timeout=_GRACE)

    async def _quiet(self, seconds: float | None) -> None:
        """Wait this long until nothing runs, what is queued included."""
        core, loop = self._core, asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        core.desk.flush()
        while core.runner.calls and (end is None or loop.time() < end):
            await core.runner.idle(None if end is None else end - loop.time())
            core.desk.flush()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
