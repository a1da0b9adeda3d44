"""A table's meaning as a short text: equal where every decision is bound to be."""

import hashlib
import json
from typing import Final

from toolroute_codegen.table import Written


def fingerprint(written: Written) -> str:
    """The SHA-256, in hexadecimal, of what the table means.

    Docs, comments, and the order of the keys in a mapping don't count; the order of
    routes, and of whatever else stands in a list, does.
    """
    meaning = written.model_dump(
        by_alias=True,
        exclude_defaults=True,
        exclude={part: {"__all__": {"doc"}} for part in _DOCUMENTED},
    )
    meaning["offered"] = _offered_to_puppets(written)
    text = json.dumps(meaning, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


_DOCUMENTED: Final = (
    *("callers", "capabilities", "lookups", "guards", "unwraps", "routes"),
)


def _offered_to_puppets(written: Written) -> str | None:
    """The caller whose surface is a puppet's: the first on a turn's road."""
    roads = {name: caller.road for name, caller in written.callers.items()}
    if "puppet" not in roads.values():
        return None
    return next((name for name, road in roads.items() if road == "turn"), None)
