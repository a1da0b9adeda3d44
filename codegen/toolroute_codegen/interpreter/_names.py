"""Which names a route takes, and which forms of a name are tried."""

import re
from collections.abc import Iterator
from typing import Final

from toolroute_codegen.table import Route, Within, Written

ALPHABET: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
"""The names that some provider sends."""


def routed_name(written: Written, sent: str) -> str:
    """The first form of `sent` that some route's shape takes; or `sent`."""
    for name in _forms(written, sent):
        if ALPHABET.fullmatch(name) and any(
            takes(route, name) for route in written.routes
        ):
            return name
    return sent


def _forms(written: Written, name: str) -> Iterator[str]:
    yield name
    for form in written.normalise:
        match form:
            case "trim":
                name = name.strip()
            case "control_tokens":
                name = name.partition("<|")[0]
            case "functions_prefix":
                name = name.removeprefix("functions.")
            case "case":
                name = _exact(written, name)
        yield name


def _exact(written: Written, name: str) -> str:
    """The one exact name that differs from `name` in the case of letters only."""
    exact = {each for route in written.routes for each in route.names or ()}
    alike = [each for each in exact if each.lower() == name.lower()]
    return alike[0] if len(alike) == 1 and name.isascii() else name


def takes(route: Route | Within, name: str) -> bool:
    """Whether `name` is of the route's shape."""
    if isinstance(route, Route):
        if route.names is not None:
            return name in route.names
        if route.lookup is not None:
            return route.within is None or takes(route.within, name)
    if route.prefix is not None:
        return name.startswith(route.prefix) and name != route.prefix
    if route.glob is not None:
        pattern = ".+".join(map(re.escape, route.glob.split("*")))
        return re.fullmatch(pattern, name) is not None
    before, _, after = name.partition(route.split or "")
    return before != "" and after != ""
