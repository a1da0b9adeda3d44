from __future__ import annotations

from typing import Any, Final

FORMAT: Final = 1
"""The format of generated modules that this toolroute works with."""


def speaks(form: int) -> None:
    """Check, as a generated module is imported, that it and this toolroute fit."""
    if form > FORMAT:
        raise ImportError(
            f"this module was generated in format {form}, and the toolroute that is "
            f"installed reads format {FORMAT}: upgrade toolroute"
        )
    if form < FORMAT:
        raise ImportError(
            f"this module was generated in format {form}, and the toolroute that is "
            f"installed reads format {FORMAT}: generate it again with `toolroute build`"
        )


def __getattr__(name: str) -> Any:
    """What a later generator's module asks for and this toolroute doesn't have."""
    if name.startswith("__"):
        raise AttributeError(f"module 'toolroute.routing' has no attribute {name!r}")
    raise ImportError(
        f"this toolroute has no toolroute.routing.{name}: if a generated module asks "
        "for it, upgrade toolroute, or generate the module again with `toolroute build`"
    )
