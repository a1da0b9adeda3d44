"""Modules of other packages, by the entry-point group `toolroute.modules`.

An entry point names a function that takes the module's own handle, to make calls with,
and gives the module. Its name is the module's, under which its tools are called.
"""

import logging
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from toolroute import ProtocolError
from toolroute._text import one_line
from toolroute_host.running import HostRuntime
from toolroute_host.world import World

if TYPE_CHECKING:
    from toolroute_host.modules import Module

__all__ = ["GROUP", "add_plugins"]

GROUP: Final = "toolroute.modules"
LOG: Final = logging.getLogger("toolroute_host")


def add_plugins(
    world: World, runtime: HostRuntime, points: Iterable[EntryPoint] | None = None
) -> list[str]:
    """Add the modules that are installed; one that can't be is logged, and left out."""
    added: list[str] = []
    for point in entry_points(group=GROUP) if points is None else points:
        try:
            handle = runtime.module(point.name)
        except ProtocolError as error:
            LOG.warning("The module %s isn't added: %s", one_line(point.name), error)
            continue
        if _is_added(world, point, handle):
            added.append(point.name)
        else:
            handle.close()
    return added


def _is_added(world: World, point: EntryPoint, handle: Any) -> bool:
    shown = one_line(point.name)
    try:
        module: Module = point.load()(handle)
        name = module.name
        list(module.tools())
    except (Exception, SystemExit):  # whatever others' code does, the host starts
        LOG.exception("The module %s isn't added: it can't be made", shown)
        return False
    if name != point.name:
        LOG.warning("The module %s isn't added: it calls itself %r", shown, name)
        return False
    try:
        world.modules.add(module)
    except ValueError as error:
        LOG.warning("The module %s isn't added: %s", shown, error)
        return False
    return True
