"""From a table to the module that it becomes."""

from collections.abc import Iterable, Iterator, Mapping

from toolroute_codegen._collector import collector_paused
from toolroute_codegen.fingerprint import fingerprint
from toolroute_codegen.module import Module
from toolroute_codegen.names import (
    MODULE_NAMES,
    PYTHON_NAMES,
    class_name,
    lister_name,
)
from toolroute_codegen.plan import _deciding, _heads
from toolroute_codegen.plan._asking import tells_near
from toolroute_codegen.plan._conditions import Constants
from toolroute_codegen.plan._handlers import dispatch_of
from toolroute_codegen.plan._host import listed, methods_of, properties_of
from toolroute_codegen.plan._imports import imports_of
from toolroute_codegen.plan._kinds import Kind, class_of, kinds_of
from toolroute_codegen.plan._layout import (
    INDENT,
    call,
    keyword,
    laid_out,
    literal,
    literals,
    one_of,
)
from toolroute_codegen.plan._refusals import function_of, words_of
from toolroute_codegen.plan._rows import Rows
from toolroute_codegen.plan._types import Types
from toolroute_codegen.table import Table, Written
from toolroute_codegen.texts import placeholders


def plan(table: Table) -> Module:
    """The module of `table`, which breaks no rule."""
    with collector_paused():
        return _planned(table)


def _planned(table: Table) -> Module:
    written = table.written
    types = Types(_taken(written))
    kinds = kinds_of(written, types)
    constants, uses = Constants(), set[str]()
    rows = Rows(written, constants, uses)
    routes = _routes(written, rows)
    properties = tuple(properties_of(written, types))
    methods = tuple(methods_of(written, types))
    imports = imports_of(
        typing=_typing(kinds),
        routing={*uses, *_routing(written, kinds)},
        for_types=_for_types(written, kinds),
        types=types,
    )
    guards = one_of(written.guards) if written.guards else call("frozenset")
    dispatch = dispatch_of(tuple(kinds.values()))
    return Module(
        header=_heads.header(table.filename),
        typing=imports.typing,
        imports=imports.toolroute,
        type_imports=imports.for_types,
        exports=_heads.exports(written, kinds),
        fingerprint=literal(fingerprint(written)),
        callers=_heads.callers(written),
        properties=properties,
        methods=methods,
        refusals=tuple(function_of(*each) for each in written.refusals.items()),
        words=words_of(written.refusals),
        kinds=tuple(map(class_of, kinds.values())),
        unions=_heads.unions(kinds),
        order=_heads.order(written),
        constants=tuple(
            filter(None, (dispatch.variables, tuple(constants.assignments())))
        ),
        steps=tuple(rows.steps),
        routes=routes,
        roads=_heads.roads(written),
        decide=tuple(_deciding.decide(written)),
        surface=tuple(_deciding.surface(written)),
        dispatch=dispatch,
        guards=laid_out(guards, 2 * INDENT, "guards=", ","),
    )


def _routes(written: Written, rows: Rows) -> str:
    """The rows as one call, a line or more a row."""
    arguments = [rows.row(*each) for each in enumerate(written.routes)]
    if written.normalise:
        forms = keyword("normalise", literals(written.normalise))
        arguments.append(laid_out(forms, INDENT, after=","))
    return "\n".join(["Routes(", *arguments, ")"]) if arguments else "Routes()"


def _taken(written: Written) -> Iterable[str]:
    """The names that a type can't have in the module."""
    kinds = {route.kind for route in written.routes}
    return {
        *MODULE_NAMES,
        *PYTHON_NAMES,
        *kinds,
        *map(class_name, kinds),
        *map(lister_name, kinds),
        *written.refusals,
        *written.capabilities,
        *written.lookups,
        *written.guards,
        *written.unwraps,
        *("after", "before", "inner", "refused", "route", "step", "target"),
    }


def _typing(kinds: Mapping[str, Kind]) -> Iterator[str]:
    planes = {kind.client for kind in kinds.values()}
    if planes != {False, True}:
        yield "Never"
    if False in planes:
        yield "TypeVar"
    if kinds:
        yield "final"
    yield "assert_never"


def _routing(written: Written, kinds: Mapping[str, Kind]) -> Iterator[str]:
    for kind in kinds.values():
        yield "ClientPlane" if kind.client else "ServerPlane"
    if any(placeholders(words.text) for words in written.refusals.values()):
        yield "one_line"
    if written.guard is not None:
        yield "declared"
    if tells_near(written):
        yield from ("near", "once")


def _for_types(
    written: Written, kinds: Mapping[str, Kind]
) -> Iterator[tuple[str, str]]:
    if listed(written):
        yield ("collections.abc", "Iterable")
    if any(not kind.client for kind in kinds.values()):
        yield ("toolroute.routing", "Answering")
        yield ("toolroute.runtime", "Context")
