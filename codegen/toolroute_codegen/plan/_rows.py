"""The rows of the table, and the steps that they share."""

from typing import Final, final

from toolroute_codegen.module import Function
from toolroute_codegen.names import lister_name
from toolroute_codegen.plan._conditions import Constants, Known
from toolroute_codegen.plan._layout import (
    INDENT,
    Item,
    call,
    keyword,
    laid_out,
    literal,
    literals,
)
from toolroute_codegen.plan._shapes import Readings, written_shape
from toolroute_codegen.plan._steps import Key, always, key_of, step_of
from toolroute_codegen.shapes import sendable
from toolroute_codegen.table import Route, Written

_PRIVATE: Final = (
    *("_C", "_C_contra", "_IN_TURN", "_OFFERED", "_R", "_ROADS", "_ROUTES", "_R_co"),
    "_STEPS",
)
"""The module's private names that aren't steps; those with numbers are longer."""


@final
class Rows:
    """Rows as they're added, and the steps that they turned out to need."""

    def __init__(self, written: Written, constants: Constants, uses: set[str]) -> None:
        self._written: Final = written
        self._constants: Final = constants
        self._uses: Final = uses
        self._names: Final[dict[Key, str]] = {}
        self._taken: Final = {*_PRIVATE}
        self._readings: Final = Readings(written.routes)
        self.steps: Final = list[Function]()

    def row(self, at: int, route: Route) -> str:
        """The row of the route at this position, laid out as an argument."""
        arguments: list[Item] = [self._step(route)]
        if route.names is not None:
            # A table may be allowed to list names that no call can have.
            arguments.append(literals(tuple(filter(sendable, route.names))))
        else:
            arguments.append(self._shape(route))
            arguments.append(literal(lister_name(route.kind)))
        if always(route):
            arguments.append("always=True")
        if self._readings.again(at, route):
            arguments.append("rereads=True")
        if route.advertise == "never":
            arguments.append("advertise=None")
        elif route.advertise:
            arguments.append(keyword("advertise", literals(route.advertise)))
        row = "Shaped" if route.names is None else "Named"
        self._uses.add(row)
        return laid_out(call(row, *arguments), INDENT, after=",")

    def _step(self, route: Route) -> str:
        key = key_of(route)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = self._free(route.kind)
            known = Known(self._written, self._constants, tuple(self._written.callers))
            self.steps.append(step_of(route, name, known, self._uses))
        return name

    def _free(self, kind: str) -> str:
        name, number = f"_{kind}", 1
        while name in self._taken:
            number += 1
            name = f"_{kind}_{number}"
        self._taken.add(name)
        return name

    def _shape(self, route: Route) -> str:
        shape, text = written_shape(route)
        self._uses.add(shape)
        return f"{shape}({literal(text)})" if text else f"{shape}()"
