"""A table's routes in their order, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from toolroute_codegen.cli._say import out, out_json
from toolroute_codegen.cli._words import conditions, takes
from toolroute_codegen.table import Route, Table, Written, as_written

WIDEST: Final = 40
"""Characters of the column of names; what is longer pushes the rest to the right."""


def tell(table: Table, output_format: str) -> None:
    """The table, on standard output."""
    if output_format == "json":
        out_json(_json(table))
        return
    for line in _lines(table.written):
        out(line.rstrip())


def _lines(written: Written) -> Iterator[str]:
    if written.normalise:
        yield f"Names that no route takes are tried as: {', '.join(written.normalise)}."
    if written.guard is not None:
        yield f"The guard {written.guard} is asked first, on every call."
    rows = [(_position(at), r.kind, takes(r)) for at, r in enumerate(written.routes)]
    widths = [_width(column) for column in zip(*rows, strict=True)] or [0, 0, 0]
    for row, route in zip(rows, written.routes, strict=True):
        number, kind, names = row
        yield (
            f"{number:>{widths[0]}}  {kind:{widths[1]}}  {names:{widths[2]}}  "
            f"{'; '.join(conditions(route))}"
        )
    yield f"otherwise {written.otherwise}"


def _position(at: int) -> str:
    return str(at + 1)


def _width(column: Sequence[str]) -> int:
    return min(max(map(len, column)), WIDEST)


def _json(table: Table) -> dict[str, Any]:
    written = table.written
    return {
        "version": 1,
        "normalise": list(written.normalise),
        "guard": written.guard,
        "routes": [_route_json(at, route) for at, route in enumerate(written.routes)],
        "otherwise": written.otherwise,
    }


def _route_json(at: int, route: Route) -> dict[str, Any]:
    """The route as it's written, without what it leaves out, and its position."""
    return {"position": at + 1, **as_written(route)}
