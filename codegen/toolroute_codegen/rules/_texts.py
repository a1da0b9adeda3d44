"""Where each refusal is used, which says what can be put into its text."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.names import PLACEHOLDERS
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.table import Path
from toolroute_codegen.texts import Placeholder, StrayBrace, pieces

Use: TypeAlias = Literal[
    "guard", "lookup", "off_turn", "otherwise", "refuse", "when_missing"
]

BY_THE_HOST: Final[frozenset[Use]] = frozenset({"guard", "lookup"})
"""The uses in which the host makes the refusal, and supplies what it has."""


def uses_of(facts: Facts) -> dict[str, dict[Use, Path]]:
    """Each refusal's uses, and for each where it is the first time."""
    uses: dict[str, dict[Use, Path]] = {name: {} for name in facts.written.refusals}
    for name, use, path in _used(facts):
        if name in uses:
            uses[name].setdefault(use, path)
    return uses


def can_stand(placeholder: str, use: Use) -> bool:
    """Whether something is put in for `placeholder`, in this use of its refusal."""
    match placeholder:
        case "name" | "caller":
            return True
        case "near":
            return use == "otherwise"
        case "capability":
            return use == "when_missing"
        case _:
            return use in BY_THE_HOST


def marks_of(facts: Facts, name: str) -> Iterator[Placeholder | StrayBrace]:
    """The placeholders and stray braces of a refusal's text."""
    for piece in pieces(facts.written.refusals[name].text):
        if not isinstance(piece, str):
            yield piece


def place_of(mark: Placeholder | StrayBrace, facts: Facts, name: str) -> Place:
    """Where a mark stands in a refusal's text."""
    size = len(mark.name) + 2 if isinstance(mark, Placeholder) else 1
    text = facts.written.refusals[name].text
    return facts.place_within(("refusals", name, "text"), text, mark.start, size)


def is_known(placeholder: str) -> bool:
    """Whether the module itself fills in `placeholder`, somewhere."""
    return placeholder in PLACEHOLDERS


def _used(facts: Facts) -> Iterator[tuple[str, Use, Path]]:
    written = facts.written
    yield written.otherwise, "otherwise", ("otherwise",)
    for name, guard in written.guards.items():
        for at, refusal in enumerate(guard.refuses):
            yield refusal, "guard", ("guards", name, "refuses", at)
    for name, lookup in written.lookups.items():
        for at, refusal in enumerate(lookup.refuses):
            yield refusal, "lookup", ("lookups", name, "refuses", at)
    for at, route in enumerate(facts.routes):
        if route.when_missing is not None:
            yield route.when_missing, "when_missing", ("routes", at, "when_missing")
        if route.off_turn is not None:
            yield route.off_turn, "off_turn", ("routes", at, "off_turn")
        for which, entry in enumerate(route.refuse):
            path = ("routes", at, "refuse", which, "with")
            yield entry.with_, "refuse", path
