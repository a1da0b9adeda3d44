"""Modules of other packages, by the entry-point group `toolroute.modules`.

An entry point names a function that takes the module's own handle, to make calls with,
and gives the module. Its name is the module's, under which its tools are called.
"""

import logging
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from toolroute import ProtocolError
from toolroute._text import one_line
from toolroute_host.modules import Module
from toolroute_host.running import HostRuntime
from toolroute_host.world import World

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
        try:
            world.modules.add(_made(point, handle))
        except Exception:
            handle.close()
            LOG.exception("The module %s isn't added", one_line(point.name))
        else:
            added.append(point.name)
    return added


def _made(point: EntryPoint, handle: Any) -> Module:
    module: Module = point.load()(handle)
    if module.name != point.name:
        raise ValueError(
            f"it calls itself {module.name!r}, and its entry point {point.name!r}"
        )
    list(module.tools())
    return module
