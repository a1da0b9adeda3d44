"""The host's parts, its handlers and the table, made into a runtime."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

from toolroute import ToolResult
from toolroute.routing import Answering, Bound
from toolroute.runtime import Context, Ledger, Limits, Observer, Runtime
from toolroute_host import dispatch
from toolroute_host.handlers import HostHandlers
from toolroute_host.view import View
from toolroute_host.world import World

__all__ = ["HostBound", "HostRuntime", "runtime_of"]

HostBound: TypeAlias = Bound[dispatch.Caller, dispatch.Host, dispatch.ServerRoute]
HostRuntime: TypeAlias = Runtime[dispatch.Caller, dispatch.Host, dispatch.ServerRoute]


def runtime_of(
    world: World,
    *,
    bound: HostBound | None = None,
    ledger: Ledger | None = None,
    observers: Sequence[Observer] = (),
    limits: Limits | None = None,
) -> HostRuntime:
    """A runtime over this host's parts, its handlers and its windows.

    `bound` is for whoever puts something around the handlers.
    """
    bound = dispatch.bind(HostHandlers(world)) if bound is None else bound

    def view(agent: str | None) -> dispatch.Host:
        return View(world, None if agent is None else world.agents[agent])

    def run(route: dispatch.ServerRoute, context: Context) -> Answering:
        answering = bound.run(route, context)
        if isinstance(answering, Awaitable):
            return _seen_later(world, context, answering)
        return _seen(world, context, answering)

    return Runtime(
        bound.running(run),
        view,
        ledger=ledger,
        observers=observers,
        limits=limits,
        window=world.windows,
    )


async def _seen_later(
    world: World, context: Context, answering: Awaitable[ToolResult]
) -> ToolResult:
    return _seen(world, context, await answering)


def _seen(world: World, context: Context, result: ToolResult) -> ToolResult:
    """Keep the images of a result, and name them in it, for whom it is given to."""
    given = cast("object", result)  # a module's may be none: the runtime tells that
    if world.workspace is None or not isinstance(given, ToolResult) or given.is_error:
        return result
    named = world.workspace.named_in(context.agent or "", result.content)
    return replace(result, content=named)
