import re
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.rules.hidden_character import hidden_character

_HIDDEN: Final = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)


def hidden_characters(source: str) -> list[Diagnostic]:
    """A finding for the first of them, which counts the others; or none."""
    first = _HIDDEN.search(source)
    if first is None:
        return []
    start = source.rfind("\n", 0, first.start()) + 1
    line = source.count("\n", 0, start) + 1
    place = Place(line, first.start() - start + 1)
    others = sum(1 for _ in _HIDDEN.finditer(source, first.end()))
    return [hidden_character(place, first[0], others)]
