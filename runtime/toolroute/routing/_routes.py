"""The way from a call's name to the steps that decide it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, TypeVar, final

from toolroute._calls import ToolCall
from toolroute.routing._matched import Matched
from toolroute.routing._names import Form, cases_of, forms_of, sendable
from toolroute.routing._rows import FirstOf, Named, Row, Shaped, Step
from toolroute.routing._shapes import Shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_KEPT: Final = 1024
_LONGEST_KEPT: Final = 128
"""How many names other than exact ones are remembered, and how long such a name is."""

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
RouteT = TypeVar("RouteT", bound=Matched)


@final
class Routes(Generic[CallerT, HostT, RouteT]):
    """A table's rows in their order, which is the only precedence there is.

    `by_name` has the step of each exact name; `other` finds that of any other name.
    """

    __slots__ = (
        "_cases",
        "_find",
        "_named",
        "_normalise",
        "_shapes",
        "by_name",
        "rows",
    )

    def __init__(
        self, *rows: Row[CallerT, HostT, RouteT], normalise: Sequence[Form] = ()
    ) -> None:
        self.rows: Final = rows
        self._normalise: Final = normalise
        self._shapes: Final = Shapes(
            (at, row.shape) for at, row in enumerate(rows) if isinstance(row, Shaped)
        )
        self._named: Final = _positions(rows)
        self._cases: dict[str, str | None] | None = None
        self.by_name: Final = {
            name: self._joined(self._taking(name)) for name in self._named
        }
        self._find: Final = lru_cache(_KEPT)(self._found)

    def other(
        self, call: ToolCall
    ) -> tuple[ToolCall, Step[CallerT, HostT, RouteT] | None]:
        """`call`, under the first form of its name that a row takes, and its step.

        Without a step, its name isn't one that any provider sends.
        """
        name = call.name
        find = self._find if len(name) <= _LONGEST_KEPT else self._found
        name, step = find(name)
        return (
            call if name == call.name else ToolCall(call.id, name, call.input),
            step,
        )

    def _found(self, sent: str) -> tuple[str, Step[CallerT, HostT, RouteT] | None]:
        name = sent
        if self._normalise:
            forms = forms_of(sent, self._normalise, self._exact_by_case)
            name = next((each for each in forms if self._takes(each)), sent)
        return (name, self._joined(self._taking(name)) if sendable(name) else None)

    def _takes(self, name: str) -> bool:
        return sendable(name) is not None and bool(self._taking(name))

    def _taking(self, name: str) -> list[int]:
        taking = self._shapes.taking(name)
        named = self._named.get(name)
        return taking if named is None else sorted({*named, *taking})

    def rows_of(self, name: str) -> Iterator[Row[CallerT, HostT, RouteT]]:
        """The rows that take `name`, up to one that always answers."""
        return self._asked(self._taking(name))

    def _asked(self, taking: Iterable[int]) -> Iterator[Row[CallerT, HostT, RouteT]]:
        for at in taking:
            yield self.rows[at]
            if self.rows[at].always:
                return

    def _joined(self, taking: list[int]) -> Step[CallerT, HostT, RouteT]:
        if len(taking) == 1:
            return self.rows[taking[0]].step
        asked = list(self._asked(taking))
        if len(asked) == 1:
            return asked[0].step
        steps = [row.step for row in asked]
        return FirstOf(steps, rereads=any(row.rereads for row in asked))

    def _exact_by_case(self, name: str) -> str | None:
        if self._cases is None:
            self._cases = cases_of(self._named)
        return self._cases.get(name.lower()) if name.isascii() else None


def _positions(rows: Iterable[Row[CallerT, HostT, RouteT]]) -> dict[str, list[int]]:
    """Where each exact name stands."""
    named: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        if isinstance(row, Named):
            for name in row.names:
                named.setdefault(name, []).append(at)
    return named
