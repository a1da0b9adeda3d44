"""Names that stand for what a section of the table declares: unknown, or unused."""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.rules._facts import Facts, Section
from toolroute_codegen.rules._words import meant, quoted

ONE: Final[dict[Section, str]] = {
    "callers": "caller",
    "capabilities": "capability",
    "lookups": "lookup",
    "guards": "guard",
    "unwraps": "unwrap",
    "refusals": "refusal",
}
"""One of what a section declares, in a sentence."""


def unknown(facts: Facts, section: Section, code: str) -> Iterator[Diagnostic]:
    """The names that aren't declared in their section."""
    declared = declared_in(facts, section)
    for name, path in facts.mentions.unknown[section]:
        yield Diagnostic(
            facts.place(path),
            code,
            f"there is no {ONE[section]} named {quoted(name)}",
            f"{meant(facts.near(name, section, declared))}{_where(facts, section)}",
        )


def unused(
    facts: Facts, section: Section, code: str, what: str
) -> Iterator[Diagnostic]:
    """What a section declares and nothing uses; `what` would.

    A name that was probably meant where an unknown one stands is left alone: one slip
    is one finding.
    """
    declared = declared_in(facts, section)
    mentions = facts.mentions
    left = [name for name in declared if name not in mentions.used[section]]
    if not left:
        return
    unknown = dict.fromkeys(name for name, _ in mentions.unknown[section])
    wanted = {facts.near(name, section, declared) for name in unknown}
    for name in left:
        if name not in wanted:
            yield Diagnostic(
                facts.place_of_key((section, name)),
                code,
                f"the {ONE[section]} {quoted(name)} is never used",
                f"Take it out, or {what}.",
            )


def declared_in(facts: Facts, section: Section) -> list[str]:
    """The names that a section declares, in order."""
    return list(getattr(facts.written, section))


def _where(facts: Facts, section: Section) -> str:
    if not declared_in(facts, section):
        return f"None is declared yet: that is done under `{section}:`."
    line = facts.place_of_key((section,)).line
    return f"{section.capitalize()} are declared under `{section}:`, line {line}."
