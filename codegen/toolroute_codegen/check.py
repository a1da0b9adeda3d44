"""A table, judged: every rule of what it means is asked, and all answers collected."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from toolroute_codegen._collector import collector_paused
from toolroute_codegen.allow import left_of
from toolroute_codegen.diagnostics import Diagnostic, Rejected
from toolroute_codegen.rules import (
    clashing_name,
    empty_text,
    foreign_name,
    greedy_lookup,
    idle_when_missing,
    lookup_when_missing,
    misplaced_placeholder,
    missing_off_turn,
    mixed_kind,
    repeated_entry,
    stray_brace,
    too_many_kinds,
    unfit_pattern,
    unknown_caller,
    unknown_capability,
    unknown_guard,
    unknown_lookup,
    unknown_placeholder,
    unknown_refusal,
    unknown_unwrap,
    unportable_name,
    unreachable_refusal,
    unreachable_route,
    unusable_code,
    unusable_identifier,
    unusable_type,
    unused_capability,
    unused_guard,
    unused_lookup,
    unused_refusal,
    unused_unwrap,
)
from toolroute_codegen.rules._facts import Facts
from toolroute_codegen.table import Table

Rule: TypeAlias = Callable[[Facts], Iterable[Diagnostic]]

RULES: Final[tuple[Rule, ...]] = (
    unknown_capability.find,
    unknown_refusal.find,
    unreachable_route.find,
    unknown_caller.find,
    unknown_guard.find,
    unknown_lookup.find,
    unknown_unwrap.find,
    unused_capability.find,
    unused_refusal.find,
    unused_guard.find,
    unused_lookup.find,
    unused_unwrap.find,
    unreachable_refusal.find,
    foreign_name.find,
    greedy_lookup.find,
    lookup_when_missing.find,
    idle_when_missing.find,
    missing_off_turn.find,
    mixed_kind.find,
    too_many_kinds.find,
    repeated_entry.find,
    unportable_name.find,
    unfit_pattern.find,
    unusable_identifier.find,
    clashing_name.find,
    unusable_type.find,
    unusable_code.find,
    unknown_placeholder.find,
    misplaced_placeholder.find,
    stray_brace.find,
    empty_text.find,
)


def check(table: Table) -> None:
    """Raise `Rejected` with every rule that the table breaks, each time it does.

    What a comment of the table allows isn't in it.
    """
    facts = Facts(table)
    with collector_paused():
        found = [finding for rule in RULES for finding in rule(facts)]
        left = left_of(found, table.source)
    if left:
        raise Rejected(table.filename, table.source, left)
