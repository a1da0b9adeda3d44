"""Making the calls of a file, one after the other, each on the road of its caller."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import assert_never, final

from toolroute import ToolCall
from toolroute.routing import Answering
from toolroute.runtime import Answer, Context, PuppetError, Refused
from toolroute_host import dispatch
from toolroute_host._calls_file import Planned
from toolroute_host._show import Outcome, Shown
from toolroute_host.handlers import HostHandlers
from toolroute_host.running import runtime_of
from toolroute_host.world import World


async def make(calls: Iterable[Planned], world: World) -> list[Shown]:
    """Make the calls, and give what came of each."""
    maker = _Maker(world)
    try:
        async with maker.runtime:
            return [await maker.made(each) for each in calls]
    finally:
        await world.stop()


@final
class _Maker:
    """A runtime, and the kind of the call that it ran last."""

    def __init__(self, world: World) -> None:
        self._kind = ""
        bound = dispatch.bind(HostHandlers(world))

        def run(route: dispatch.ServerRoute, context: Context) -> Answering:
            self._kind = self._kind or route.kind
            return bound.run(route, context)

        self._world = world
        self.runtime = runtime_of(world, bound=bound.running(run))
        self._module = self.runtime.module("demo")

    async def made(self, planned: Planned) -> Shown:
        self._kind = ""
        with _without(self._world, planned.without):
            answer = await self._answer(planned.call, planned.caller, planned.agent)
        if isinstance(answer, Refused):
            return Shown(planned, "refused", answer.refusal.id, answer.refusal.text)
        outcome: Outcome = "error" if answer.is_error else "answered"
        return Shown(planned, outcome, self._kind, answer.content)

    async def _answer(
        self, call: ToolCall, caller: dispatch.Caller, agent: str | None
    ) -> Answer:
        match caller:
            case "host":
                return await self.runtime.host(agent).call(call)
            case "module":
                return await self._module.call(call, agent=agent)
            case "turn" | "script" | "puppet":
                if agent is None:
                    raise AssertionError(f"a {caller} call is an agent's")
                return await self._agents(call, caller, agent)
            case _:
                assert_never(caller)

    async def _agents(self, call: ToolCall, caller: str, agent: str) -> Answer:
        if caller == "puppet":
            try:
                return await self.runtime.puppet(agent).call(call)
            except PuppetError as refused:
                return refused.answer
        async with self.runtime.turn(agent) as turn:
            if caller == "script":
                return await turn.script().call(call)
            (answer,) = await turn.run([call])
            return answer


@contextmanager
def _without(world: World, absent: frozenset[str]) -> Generator[None]:
    """Take parts out of the host for as long as this lasts."""
    kept = {name: getattr(world, name) for name in absent}
    for name in absent:
        setattr(world, name, None)
    try:
        yield
    finally:
        for name, part in kept.items():
            setattr(world, name, part)
