"""An operator, acting as an agent.

Laws:

- It is an act that the agent could have made: the agent exists, is idle with no turn
  alive, has the name on its surface, and isn't refused. These are looked at in this
  order, and the agent is reserved, before anything is awaited.
- The call that runs is the very one that was decided on.
- Call and result are stored as one adjacent pair, also an error's, or not at all; what
  arrives meanwhile lands behind. What wasn't run raises, and stores nothing.
- The agent is let go of with the answer, whatever happens, also when nobody waits.
"""

import logging
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Final, final

from toolroute._calls import Refusal, Retry, ToolCall
from toolroute._text import one_line
from toolroute.routing import ServerPlane, check_failed
from toolroute.runtime._answer import Answer, BadArguments
from toolroute.runtime._awaited import Awaited
from toolroute.runtime._core import Decision
from toolroute.runtime._read import AnyCall, read
from toolroute.runtime._tracked import Tracked
from toolroute.runtime._who import Act, Who
from toolroute.runtime._window import IDLE, Exchange

if TYPE_CHECKING:
    from toolroute.runtime._core import Core

_log: Final = logging.getLogger("toolroute")


@final
class PuppetError(Exception):
    """An operator's call wasn't run, so nothing is stored; `answer` says why."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.content["error"]["message"])
        self.answer: Final = answer


@final
class Puppet:
    """The handle for what operators do as one agent."""

    __slots__ = ("_agent", "_core", "_who")

    def __init__(self, core: "Core", who: Who, agent: str) -> None:
        self._core = core
        self._who = who
        self._agent = agent

    @property
    def agent(self) -> str:
        """As whom the operator acts."""
        return self._agent

    async def call(self, call: AnyCall, *, key: str | None = None) -> Answer:
        """Make a call as the agent, and wait for its answer; raises if it isn't run."""
        return await self.start(call, key=key)

    def start(self, call: AnyCall, *, key: str | None = None) -> Awaited:
        """Make a call as the agent, to be awaited later.

        A call without an id gets one, since it is stored as the agent's own.
        """
        core = self._core
        core.seats.need_window()
        awaited = Awaited(core, self._over)
        called, bad = read(call)
        if not called.id:
            called = replace(called, id=f"call_{token_hex(12)}")
        tracked = core.track(self._who, called, Act(key))
        tracked.receiver = awaited
        awaited.begun(tracked)
        if core.closing:
            core.turn_away(tracked, "closing")
            return awaited
        try:
            decision = self._looked_at(called, bad)
        except BaseException:
            core.turn_away(tracked, "interrupted")
            raise
        if isinstance(decision, BadArguments):
            core.refuse(tracked, decision)
        elif isinstance(decision, ServerPlane):
            core.seats.reserve(self.agent)
            core.run(tracked, decision)
        else:
            core.proceed(tracked, decision)
        return awaited

    def _looked_at(self, call: ToolCall, bad: str | None) -> Decision | BadArguments:
        """The decision, when everything that comes before it is well."""
        try:
            refusal = self._away(call.name)
        except Exception:  # noqa: BLE001 -- closed, not open, and logged
            _log.exception("The host couldn't be asked about %r", self.agent)
            refusal = check_failed(call.name)
        if refusal is not None:
            return refusal
        if bad is not None:
            return BadArguments(call.name, bad)
        return self._core.decide(call, self._who, None)

    def _away(self, name: str) -> Refusal | None:
        """Why the agent couldn't have made this call now."""
        core = self._core
        agent = one_line(self.agent)
        status = core.seats.window.status(self.agent)
        if status is None:
            return _refusal("puppet_unknown_agent", f"Unknown agent: {agent}")
        status = core.seats.doing(self.agent) or status
        if status != IDLE:
            return _refusal(
                "puppet_not_idle",
                f"puppet refused: agent {agent} is {one_line(status)} (requires idle, "
                "with no turn alive), so nothing was done.",
                retry="after-delay",
            )
        if name not in core.bound.surface(self._who.caller, core.host(self._who)):
            return _refusal(
                "puppet_off_surface",
                f"puppet refused: tool {one_line(name)} is not on {agent}'s surface, "
                "so nothing was done.",
            )
        return None

    def _over(self, call: Tracked) -> Exception | None:
        """Store the pair and let go of the agent; or why there's no pair."""
        answer = call.answer
        if answer is None:
            raise AssertionError("a call is over without its answer")
        if call.route is None:
            return PuppetError(answer)
        seats = self._core.seats
        try:
            if answer.kind == "not_executed":
                return PuppetError(answer)
            seats.window.store(
                self.agent, Exchange(None, None, (call.opened.call,), (answer,))
            )
        except Exception as error:  # noqa: BLE001 -- raised to who waits
            _log.exception("An operator's call as %r couldn't be stored", self.agent)
            return error
        finally:
            seats.release(self.agent)
        return None


def _refusal(id: str, text: str, retry: Retry = "no") -> Refusal:  # noqa: A002
    return Refusal(id, "TOOL_REFUSED", retry, text)
