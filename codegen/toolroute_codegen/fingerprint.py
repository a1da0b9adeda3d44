"""A table's meaning as a short text: equal where every decision is bound to be."""

import hashlib
import json
from typing import Final

from toolroute_codegen.table import Written, as_written


def fingerprint(written: Written) -> str:
    """The SHA-256, in hexadecimal, of what the table means.

    Docs, comments, and the order of the keys in a mapping don't count; the order of
    routes, and of whatever else stands in a list, does.
    """
    meaning = as_written(written)
    for part in _NAMED:
        for each in meaning.get(part, {}).values():
            each.pop("doc", None)
    for route in meaning["routes"]:
        route.pop("doc", None)
    meaning["offered"] = _offered_to_puppets(written)
    text = json.dumps(meaning, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


_NAMED: Final = ("callers", "capabilities", "lookups", "guards", "unwraps")
"""The sections whose entries have docs."""


def _offered_to_puppets(written: Written) -> str | None:
    """The caller whose surface is a puppet's: the first on a turn's road."""
    roads = {name: caller.road for name, caller in written.callers.items()}
    if "puppet" not in roads.values():
        return None
    return next((name for name, road in roads.items() if road == "turn"), None)
