"""The table's own things, said in words."""

from typing import Final

from toolroute_codegen.table import RefuseEntry, Route, Within

MOST_NAMES: Final = 4


def takes(route: Route, most: int | None = None) -> str:
    """Which names a route takes: `think, journal`, `channel_*`, `what NAME finds`."""
    if route.names is not None:
        shown = route.names[:most]
        more = len(route.names) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")
    if route.lookup is None:
        return pattern(route)
    return f"{pattern(route)} that {route.lookup} finds"


def pattern(route: Route) -> str:
    """The names of a route without exact ones, as a glob: `channel_*`, `*--*`."""
    bounds: Route | Within | None = route if route.lookup is None else route.within
    if bounds is None:
        return "*"
    if bounds.prefix is not None:
        return f"{bounds.prefix}*"
    return bounds.glob if bounds.glob is not None else f"*{bounds.split}*"


def holds(entry: RefuseEntry) -> str:
    """When a `refuse` entry holds: `module calls, and primary is absent`."""
    parts: list[str] = []
    if entry.callers is not None:
        parts.append(f"the caller is {_any_of(entry.callers)}")
    if entry.names is not None:
        parts.append(f"the name is {_any_of(entry.names)}")
    if entry.when is not None:
        parts.append(_so("present", " and ", entry.when))
    if entry.unless is not None:
        parts.append(_so("absent", " or ", entry.unless))
    return " and ".join(parts) or "always"


def conditions(route: Route) -> list[str]:
    """What else a route says, in the order in which it's tested."""
    said: list[str] = []
    if route.requires:
        missing = "" if route.when_missing is None else f" (else {route.when_missing})"
        said.append(f"requires {', '.join(route.requires)}{missing}")
    said += [f"refuses with {each.with_} where {holds(each)}" for each in route.refuse]
    if route.off_turn is not None:
        said.append(f"refuses with {route.off_turn} off a turn")
    if route.guard is not None:
        said.append(f"guard {route.guard}")
    if route.unwrap is not None:
        said.append(f"unwraps {route.unwrap}")
    said += ["ends the turn"] if route.ends_turn else []
    said += ["runs in a client"] if route.plane == "client" else []
    if route.advertise == "never":
        said.append("never on the surface")
    elif route.advertise:
        said.append(f"on the surface with {', '.join(route.advertise)}")
    return said


def _so(state: str, word: str, capabilities: tuple[str, ...]) -> str:
    are = "are" if word == " and " and len(capabilities) > 1 else "is"
    return f"{word.join(capabilities)} {are} {state}"


def _any_of(names: tuple[str, ...]) -> str:
    return " or ".join(names)
