from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, final

from toolroute._calls import ProtocolError, Road

if TYPE_CHECKING:
    from collections.abc import Mapping

CallerT = TypeVar("CallerT", bound=str)
ValueT = TypeVar("ValueT")


@final
class ByCaller(dict[CallerT, ValueT]):
    """Something for each of a table's callers; nobody else makes calls."""

    def __missing__(self, caller: CallerT) -> ValueT:
        raise ProtocolError(
            f"the table has no caller {caller!r}, only {', '.join(map(repr, self))}"
        )


def in_turn_by(roads: Mapping[CallerT, Road]) -> ByCaller[CallerT, bool]:
    """Whether a caller's call is made in a turn, where nobody says otherwise."""
    return ByCaller((caller, road in _TURNS) for caller, road in roads.items())


def offered_by(
    roads: Mapping[CallerT, Road],
) -> ByCaller[CallerT, tuple[CallerT, bool]]:
    """Whose calls a caller's surface is of, and whether they are made in a turn.

    A puppet acts as the agent does in a turn, so it is offered what a turn is.
    """
    turn = next((caller for caller, road in roads.items() if road == "turn"), None)
    return ByCaller(
        (
            caller,
            (turn or caller, True) if road == "puppet" else (caller, road in _TURNS),
        )
        for caller, road in roads.items()
    )


_TURNS: Final = frozenset({"turn", "script"})
"""The roads whose calls are made in a turn."""
