"""The way from a call's name to the steps that decide it."""

from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar, final

from toolroute._calls import ToolCall
from toolroute.routing._matched import Matched
from toolroute.routing._names import Form, cases_of, forms_of, sendable
from toolroute.routing._rows import FirstOf, Named, Row, Shaped, Step
from toolroute.routing._shapes import Shapes

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
RouteT = TypeVar("RouteT", bound=Matched)


@final
class Routes(Generic[CallerT, HostT, RouteT]):
    """A table's rows in their order, which is the only precedence there is.

    `by_name` has the step of each exact name; `other` finds that of any other name.
    """

    __slots__ = ("_cases", "_named", "_normalise", "_shapes", "by_name", "rows")

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
            name: _joined(self.steps_of(name)) for name in self._named
        }

    def other(
        self, call: ToolCall
    ) -> tuple[ToolCall, Step[CallerT, HostT, RouteT] | None]:
        """`call`, under the first form of its name that a row takes, and its step.

        Without a step, its name isn't one that any provider sends.
        """
        for name in forms_of(call.name, self._normalise, self._exact_by_case):
            if sendable(name):
                steps = self.steps_of(name)
                if steps:
                    return (_under(name, call), _joined(steps))
        return (call, _nowhere if sendable(call.name) else None)

    def steps_of(self, name: str) -> Sequence[Step[CallerT, HostT, RouteT]]:
        """The steps of the rows that take `name`, up to one that always answers."""
        steps: list[Step[CallerT, HostT, RouteT]] = []
        for at in sorted({*self._named.get(name, ()), *self._shapes.taking(name)}):
            steps.append(self.rows[at].step)
            if self.rows[at].always:
                break
        return steps

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


def _joined(
    steps: Sequence[Step[CallerT, HostT, RouteT]],
) -> Step[CallerT, HostT, RouteT]:
    return steps[0] if len(steps) == 1 else FirstOf(steps)


def _under(name: str, call: ToolCall) -> ToolCall:
    return call if name == call.name else ToolCall(call.id, name, call.input)


def _nowhere(*_asked: object) -> None:
    return None
