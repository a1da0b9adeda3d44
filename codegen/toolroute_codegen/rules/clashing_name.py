"""A name is taken in the generated module.

What it finds: two kinds whose classes would have one name; two members of the host
(capabilities, lookups, guards, unwraps, and `list_KIND` for kinds that take names by a
pattern) that would; and a kind's class, a refusal, a placeholder or a member of the
host with a name that is Python's (`list`, `import`) or that the module has already
(`Route`, `decide`). A capability with a type can't be `call`, `kind` or another of what
every route has.

Why it matters: one of the two would hide the other, and the module would do something
else than the table says, or not run at all.

For example:

    routes:
      - kind: host
        names: [host_status]

Choose another word:

    routes:
      - kind: host_status
        names: [host_status]
"""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.names import (
    FUNCTION_NAMES,
    KIND_MEMBERS,
    MODULE_NAMES,
    PLACEHOLDERS,
    PYTHON_NAMES,
    class_name,
    lister_name,
)
from toolroute_codegen.rules._declared import ONE, declared_in
from toolroute_codegen.rules._facts import Facts, Section
from toolroute_codegen.rules._texts import BY_THE_HOST, marks_of, place_of, uses_of
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.texts import StrayBrace

CODE: Final = "TR234"

_TAKEN: Final = "a name that the module has already"

_MEMBERS: Final[tuple[Section, ...]] = ("capabilities", "lookups", "guards", "unwraps")


def find(facts: Facts) -> Iterator[Diagnostic]:
    """Each name that is taken: the second of two, in the order of the file."""
    yield from _kinds(facts)
    yield from _refusals(facts)
    yield from _placeholders(facts)
    yield from _members(facts)
    yield from _of_every_route(facts)


def _kinds(facts: Facts) -> Iterator[Diagnostic]:
    classes: dict[str, str] = {}
    for kind in facts.kinds:
        made = class_name(kind)
        first = classes.setdefault(made, kind)
        if first != kind:
            both = f"{quoted(kind)} and {quoted(first)}"
            seen = f"the kinds {both} have one class, `{made}`"
            note = Note("The other:", _place_of_kind(facts, first))
            yield _clash(_place_of_kind(facts, kind), seen, note)
        elif kind in PYTHON_NAMES:
            seen = f"the kind {quoted(kind)} has a name of Python's own"
            yield _clash(_place_of_kind(facts, kind), seen)
        elif _taken(made):
            seen = f"the class of the kind {quoted(kind)} is `{made}`, {_taken(made)}"
            yield _clash(_place_of_kind(facts, kind), seen)


def _refusals(facts: Facts) -> Iterator[Diagnostic]:
    classes = {class_name(kind): kind for kind in facts.kinds}
    for name in facts.written.refusals:
        taken = _taken(name) or (_TAKEN if name in FUNCTION_NAMES else "")
        if taken:
            seen = f"the refusal is named {quoted(name)}, {taken}"
            yield _clash(facts.place_of_key(("refusals", name)), seen)
        elif name in classes:
            seen = f"the refusal is named {quoted(name)}, as the class of a kind is"
            note = Note("The kind:", _place_of_kind(facts, classes[name]))
            yield _clash(facts.place_of_key(("refusals", name)), seen, note)


def _placeholders(facts: Facts) -> Iterator[Diagnostic]:
    """Those that a guard or lookup supplies: they are a function's parameters."""
    for name, uses in uses_of(facts).items():
        if BY_THE_HOST.isdisjoint(uses):
            continue
        for mark in marks_of(facts, name):
            if isinstance(mark, StrayBrace) or mark.name in PLACEHOLDERS:
                continue
            if _taken(mark.name):
                seen = f"the placeholder is {quoted(mark.name)}, {_taken(mark.name)}"
                yield _clash(place_of(mark, facts, name), seen)


def _members(facts: Facts) -> Iterator[Diagnostic]:
    there: dict[str, Section] = {}
    for section in _MEMBERS:
        for name in declared_in(facts, section):
            first = there.setdefault(name, section)
            if _taken(name):
                seen = f"the {ONE[section]} is named {quoted(name)}, {_taken(name)}"
                yield _clash(facts.place_of_key((section, name)), seen)
            elif first != section:
                what = f"the {ONE[section]} and the {ONE[first]} {quoted(name)}"
                yield _clash(
                    facts.place_of_key((section, name)),
                    f"{what} are one member of the host",
                    Note("The other:", facts.place_of_key((first, name))),
                )
    for route in facts.routes:
        lister = lister_name(route.kind)
        if route.names is None and lister in there:
            section = there.pop(lister)
            yield _clash(
                facts.place_of_key((section, lister)),
                f"the {ONE[section]} {quoted(lister)}, and what lists the kind "
                f"{quoted(route.kind)}, are one member of the host",
                Note("The kind:", _place_of_kind(facts, route.kind)),
            )


def _place_of_kind(facts: Facts, kind: str) -> Place:
    return facts.place(("routes", facts.kinds[kind], "kind"))


def _of_every_route(facts: Facts) -> Iterator[Diagnostic]:
    for name, capability in facts.written.capabilities.items():
        if capability.type is not None and name in KIND_MEMBERS:
            yield _clash(
                facts.place_of_key(("capabilities", name)),
                f"the capability is named {quoted(name)}, as something that every "
                "route has is",
            )


def _taken(name: str) -> str:
    """Whose the name is, to end a sentence; empty where it's free."""
    if name in PYTHON_NAMES:
        return "a name of Python's own"
    return _TAKEN if name in MODULE_NAMES else ""


def _clash(place: Place, seen: str, *notes: Note) -> Diagnostic:
    return Diagnostic(place, CODE, seen, "Choose another word.", notes)
