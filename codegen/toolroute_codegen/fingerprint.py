"""A table's meaning as a short text: equal where every decision is bound to be."""

import hashlib
import json
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from toolroute_codegen.table import Route, Written, as_written, key_of


def fingerprint(written: Written) -> str:
    """The SHA-256, in hexadecimal, of what the table means.

    Docs, comments, and the order of the keys in a mapping don't count; the order of
    routes, and of whatever else stands in a list, does.
    """
    meaning = {
        "version": written.version,
        **{part: _without_docs(getattr(written, part)) for part in _NAMED},
        "normalise": written.normalise,
        "guard": written.guard,
        "routes": [_route(route) for route in written.routes],
        "otherwise": written.otherwise,
        "offered": _offered_to_puppets(written),
    }
    text = json.dumps(meaning, sort_keys=True, default=as_written)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


_NAMED: Final = ("callers", "capabilities", "lookups", "guards", "unwraps", "refusals")

_ROUTE: Final = [each for each in fields(Route) if each.name != "doc"]
_KEYS: Final = [key_of(each.name) for each in _ROUTE]
_DEFAULTS: Final = [each.default for each in _ROUTE]
_values: Final = attrgetter(*(each.name for each in _ROUTE))


def _without_docs(declared: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in as_written(each).items() if key != "doc"}
        for name, each in declared.items()
    }


def _route(route: Route) -> dict[str, Any]:
    """What the route says, by key; there may be ten thousand of them."""
    said = zip(_KEYS, _values(route), _DEFAULTS, strict=True)
    return {key: value for key, value, default in said if value != default}


def _offered_to_puppets(written: Written) -> str | None:
    """The caller whose surface is a puppet's: the first on a turn's road."""
    roads = {name: caller.road for name, caller in written.callers.items()}
    if "puppet" not in roads.values():
        return None
    return next((name for name, road in roads.items() if road == "turn"), None)
