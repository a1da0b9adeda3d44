"""Making the calls of a file, one after the other, on one host."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from toolroute_host._calls_file import Planned
from toolroute_host._show import Shown
from toolroute_host.handlers import HostHandlers
from toolroute_host.world import World


@final
@dataclass(frozen=True, slots=True)
class _Context:
    agent: str | None
    turn: object | None


async def make(calls: Iterable[Planned], world: World) -> list[Shown]:
    """Make the calls and give what came of each."""
    handlers = HostHandlers(world)
    return [await _made(each, world, handlers) for each in calls]
