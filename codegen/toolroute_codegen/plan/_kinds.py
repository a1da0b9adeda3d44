"""The kinds of a table: what a match of each learns, and the class that holds it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

from toolroute_codegen.module import Function, KindClass
from toolroute_codegen.names import class_name
from toolroute_codegen.plan._layout import (
    INDENT,
    Group,
    after_equals,
    docstring,
    laid_out,
    literal,
    literals,
    signature,
)
from toolroute_codegen.plan._types import Types
from toolroute_codegen.table import Capability, Route, Written

_PROPERTY: Final = 2 * INDENT


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """A kind, as all of its routes have it.

    `fields` are what its class holds besides the call, each with its type.
    """

    name: str
    doc: str
    client: bool
    ends_turn: bool
    fields: tuple[tuple[str, str], ...]


def kinds_of(written: Written, types: Types) -> dict[str, Kind]:
    """The kinds in the order of their first routes."""
    routes: dict[str, list[Route]] = {}
    for route in written.routes:
        routes.setdefault(route.kind, []).append(route)
    return {
        name: Kind(
            name=name,
            doc=next((route.doc for route in own if route.doc.strip()), ""),
            client=own[0].plane == "client",
            ends_turn=own[0].ends_turn,
            fields=tuple(_fields(own[0], written, types)),
        )
        for name, own in routes.items()
    }


def held(route: Route, capabilities: Mapping[str, Capability]) -> list[str]:
    """The capabilities that a handler of `route` gets, in the table's order.

    Routes that share a kind may require them in different orders.
    """
    return [
        name
        for name, capability in capabilities.items()
        if capability.type is not None and name in route.requires
    ]


def _fields(route: Route, written: Written, types: Types) -> Iterable[tuple[str, str]]:
    if route.lookup is not None:
        yield ("target", types.local(written.lookups[route.lookup].type))
    if route.split is not None:
        yield from (("before", "str"), ("after", "str"))
    for name in held(route, written.capabilities):
        yield (name, types.local(written.capabilities[name].type or "builtins:bool"))


def class_of(kind: Kind) -> KindClass:
    """The class of `kind`: slots written out, which import and are made cheaply."""
    base = "ClientPlane" if kind.client else "ServerPlane"
    heading = Group(f"class {class_name(kind.name)}(", (base,), "):", together=True)
    constants = [after_equals("kind = ", literal(kind.name), INDENT)]
    if kind.ends_turn:
        constants.append(f"{INDENT}ends_turn = True")
    return KindClass(
        heading=laid_out(heading),
        about=(docstring(kind.doc, INDENT),) if kind.doc.strip() else (),
        slots=laid_out(
            literals(f"_{name}" for name, _ in kind.fields), INDENT, "__slots__ = "
        ),
        constants=tuple(constants),
        init=(_init(kind),) if kind.fields else (),
        properties=tuple(_property(name, type_) for name, type_ in kind.fields),
    )


def _init(kind: Kind) -> Function:
    parameters = ("self", "call: ToolCall", *(f"{n}: {t}" for n, t in kind.fields))
    head = signature("__init__", parameters, "None")
    names = ("call", *(name for name, _ in kind.fields))
    return Function(
        laid_out(head, INDENT),
        tuple(after_equals(f"self._{name} = ", name, _PROPERTY) for name in names),
    )


def _property(name: str, type_: str) -> Function:
    head = signature(name, ("self",), type_)
    return Function(
        laid_out(head, INDENT),
        (after_equals("return ", f"self._{name}", _PROPERTY),),
    )
