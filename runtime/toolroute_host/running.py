"""The host's parts, its handlers and the table, made into a runtime."""

from collections.abc import Sequence
from typing import TypeAlias

from toolroute.routing import Bound
from toolroute.runtime import Event, Ledger, Limits, Observer, Runtime
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

    def view(agent: str | None) -> dispatch.Host:
        return View(world, None if agent is None else world.agents[agent])

    def remember(event: Event) -> None:
        _remember_images(world, event)

    return Runtime(
        dispatch.bind(HostHandlers(world)) if bound is None else bound,
        view,
        ledger=ledger,
        observers=(remember, *observers),
        limits=limits,
        window=world.windows,
    )


def _remember_images(world: World, event: Event) -> None:
    """Keep the images of an answer, before it's given, for whom it is given to."""
    answer, call = event.answer, event.call
    if event.what != "answered" or answer is None or answer.kind != "returned":
        return
    if world.workspace is not None:
        owner = call.agent if call.module is None else None
        world.workspace.remember(owner or "", answer.content)
