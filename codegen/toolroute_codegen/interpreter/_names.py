"""Which form of a call's name is the one that is routed."""

from collections.abc import Iterator

from toolroute_codegen.shapes import sendable, takes
from toolroute_codegen.table import Written


def routed_name(written: Written, sent: str) -> str:
    """The first form of `sent` that some route's shape takes; or `sent`."""
    for name in _forms(written, sent):
        if sendable(name) and any(takes(route, name) for route in written.routes):
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
