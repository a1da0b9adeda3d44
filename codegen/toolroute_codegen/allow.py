"""Findings that the table's author allows, each with a reason, in a comment.

    # toolroute: allow unreachable_route: the old name, until its last caller is gone

The comment stands behind what it allows, on the line of the finding, or on a line of
its own right above that.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.load import comments
from toolroute_codegen.rules import ALLOWABLE, NAMES
from toolroute_codegen.rules.idle_allowance import (
    not_allowable,
    nothing_to_allow,
    unknown_rule,
    without_reason,
)

_MARK: Final = "toolroute:"

_ALLOWS: Final = re.compile(
    rf"#\s*{_MARK}\s*allow\b\s*(?P<rule>[^\s:]*)\s*(?::\s*(?P<reason>.*))?"
)

_CODES: Final = {
    **{name: code for code, name in NAMES.items()},
    **{c: c for c in NAMES},
}


@final
@dataclass(frozen=True, slots=True)
class _Allowance:
    """A comment at `place`, and what is at `line` that it allows."""

    place: Place
    line: int
    rule: str
    reason: str

    @property
    def code(self) -> str | None:
        return _CODES.get(self.rule)


_Where: TypeAlias = tuple[int, str | None]
"""A line, and the code of what is found there."""


def left_of(found: Sequence[Diagnostic], source: str) -> list[Diagnostic]:
    """The findings that no comment allows, and the comments that allow none.

    A comment without a reason hides its finding, and is one itself.
    """
    allowances = list(_allowances(source))
    if not allowances:
        return list(found)
    allowed = {(each.line, each.code) for each in allowances if each.code in ALLOWABLE}
    there = {_where(each) for each in found}
    left = [each for each in found if _where(each) not in allowed]
    idle = (_idle(each, there) for each in allowances)
    return [*left, *(each for each in idle if each is not None)]


def _where(found: Diagnostic) -> _Where:
    return found.place.line, found.code


def _idle(allowance: _Allowance, there: AbstractSet[_Where]) -> Diagnostic | None:
    code = allowance.code
    if code is None:
        return unknown_rule(allowance.rule, allowance.place)
    if code not in ALLOWABLE:
        return not_allowable(code, allowance.place)
    if (allowance.line, code) not in there:
        return nothing_to_allow(code, allowance.place)
    return None if allowance.reason else without_reason(code, allowance.place)


def _allowances(source: str) -> Iterator[_Allowance]:
    lines: list[str] = []
    line = 0
    for place, text in comments(source, _MARK):
        said = _ALLOWS.match(text)
        if said is None:
            continue
        lines = lines or source.split("\n")
        if lines[place.line - 1][: place.column - 1].strip():
            line = place.line
        else:
            line = _below(max(place.line, line - 1), lines)
        yield _Allowance(place, line, said["rule"], (said["reason"] or "").strip())


def _below(line: int, lines: Sequence[str]) -> int:
    """The first line after this one that has more in it than a comment."""
    while line < len(lines) and lines[line].lstrip()[:1] in ("", "#"):
        line += 1
    return line + 1
