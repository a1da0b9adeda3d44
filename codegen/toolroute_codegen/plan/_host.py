"""The members of `Host`: what is present, and what only the running host knows."""

from collections.abc import Iterator

from toolroute_codegen.module import Function
from toolroute_codegen.names import lister_name
from toolroute_codegen.plan._layout import INDENT, docstring, laid_out, signature
from toolroute_codegen.plan._types import Types
from toolroute_codegen.table import Written


def properties_of(written: Written, types: Types) -> Iterator[Function]:
    """A read-only property a capability."""
    for name, capability in written.capabilities.items():
        type_ = capability.type
        gives = "bool" if type_ is None else f"{types.local(type_)} | None"
        yield _member(name, ("self",), gives, capability.doc)


def methods_of(written: Written, types: Types) -> Iterator[Function]:
    """A method a lookup, a guard, an unwrap, and a kind whose names the host lists."""
    for name, lookup in written.lookups.items():
        gives = f"{types.local(lookup.type)} | Refusal | None"
        yield _member(name, ("self", "name: str"), gives, lookup.doc)
    for name, guard in written.guards.items():
        sees = "name: str" if guard.sees == "agent" else "call: ToolCall"
        yield _member(
            name, ("self", sees, "caller: Caller"), "Refusal | None", guard.doc
        )
    for name, unwrap in written.unwraps.items():
        yield _member(name, ("self", "call: ToolCall"), "ToolCall | None", unwrap.doc)
    for kind in listed(written):
        yield _member(lister_name(kind), ("self",), "Iterable[str]", "")


def listed(written: Written) -> dict[str, None]:
    """The kinds with a route that doesn't name its names."""
    return dict.fromkeys(route.kind for route in written.routes if route.names is None)


def _member(name: str, parameters: tuple[str, ...], gives: str, doc: str) -> Function:
    if not doc.strip():
        return Function(
            laid_out(signature(name, parameters, gives, ": ..."), INDENT), ()
        )
    head = laid_out(signature(name, parameters, gives), INDENT)
    return Function(head, (docstring(doc, 2 * INDENT), f"{2 * INDENT}..."))
