"""The surface: the names that a call would be routed under, each by its own row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar, final

from toolroute._calls import ToolCall
from toolroute.routing._matched import Matched
from toolroute.routing._names import sendable
from toolroute.routing._once import shown
from toolroute.routing._rows import Named, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolroute.routing._routes import Routes

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
RouteT = TypeVar("RouteT", bound=Matched)


def surface_of(  # noqa: PLR0913 - what a generated module knows of its surface
    routes: Routes[CallerT, HostT, RouteT],
    caller: CallerT,
    host: HostT,
    in_turn: bool,  # noqa: FBT001 - as in `decide`
    *,
    unasked: Sequence[str] = (),
    guard: str | None = None,
) -> list[str]:
    """The names that `caller` is offered, in the rows' order.

    `unasked` are the members of the host that judge a call's input, which a name alone
    doesn't have; `guard` is the one that judges each name, if the table has one. What
    raises hides the names that it was asked about.
    """
    looking = _Looking(routes, caller, shown(host, unasked), in_turn, guard)
    names: dict[str, None] = {}
    for row in routes.rows:
        for name in looking.candidates(row):
            if name not in names and looking.stands(name, row):
                names[name] = None
    return list(names)


@final
class _Looking(Generic[CallerT, HostT, RouteT]):
    """One look at the surface: everything in it is of one reading of the host."""

    __slots__ = ("_caller", "_guard", "_host", "_in_turn", "_listed", "_routes")

    def __init__(
        self,
        routes: Routes[CallerT, HostT, RouteT],
        caller: CallerT,
        host: HostT,
        in_turn: bool,  # noqa: FBT001 - as in `decide`
        guard: str | None,
    ) -> None:
        self._routes: Final = routes
        self._caller: Final = caller
        self._host: Final = host
        self._in_turn: Final = in_turn
        self._guard: Final = guard
        self._listed: Final[dict[str, Sequence[str]]] = {}

    def candidates(self, row: Row[CallerT, HostT, RouteT]) -> Iterable[str]:
        """The names that may stand here by `row`, as far as names go."""
        try:
            if row.advertise is None or not all(map(self._present, row.advertise)):
                return ()
        except Exception:  # noqa: BLE001 - closed: it can't be seen to be present
            return ()
        if isinstance(row, Named):
            return row.names
        return filter(row.shape.takes, self._listed_by(row.lister))

    def stands(self, name: str, row: Row[CallerT, HostT, RouteT]) -> bool:
        """Whether a call of `name` would be decided by `row`, and not refused."""
        call = ToolCall("", name)
        try:
            if self._guard is not None:
                asked = getattr(self._host, self._guard)
                if asked(name, self._caller) is not None:
                    return False
            for each in self._routes.rows_of(name):
                decided = each.step(call, self._caller, self._host, self._in_turn)
                if decided is not None:
                    return each is row and isinstance(decided, Matched)
        except Exception:  # noqa: BLE001 - closed: such a call is refused
            return False
        return False

    def _present(self, capability: str) -> bool:
        value: object = getattr(self._host, capability)
        return value is not None and value is not False

    def _listed_by(self, lister: str) -> Sequence[str]:
        if lister not in self._listed:
            try:
                names: Iterable[object] = getattr(self._host, lister)()
                self._listed[lister] = [
                    name for name in names if isinstance(name, str) and sendable(name)
                ]
            except Exception:  # noqa: BLE001 - closed: what it lists isn't known
                self._listed[lister] = ()
        return self._listed[lister]
