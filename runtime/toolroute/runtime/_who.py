"""Who makes a handle's calls, and how the host looks to them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from toolroute._calls import Road

if TYPE_CHECKING:
    from toolroute.runtime._turn import Turn


@final
@dataclass(frozen=True, slots=True)
class Who:
    """Who makes a handle's calls. It is fixed when the handle is made."""

    road: Road
    caller: str
    agent: str | None
    module: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Act:
    """What else there is to an awaited call.

    Its own key; the live turn that it's made in; `away`: nothing is run for its caller
    any more.
    """

    key: str | None = None
    turn: "Turn | None" = None
    in_turn: bool | None = None
    away: bool = False


PLAIN: Final = Act()
"""A call made off any turn, with a key of ours."""


@final
class AsModule:
    """The host as a module sees it, whose call names an agent.

    Capabilities, lookups and unwraps are the host's own: naming an agent confers none.
    Its guards are asked of that agent, and a guard can only refuse.
    """

    __slots__ = ("_guards", "_named", "_own")

    def __init__(self, own: object, named: object, guards: frozenset[str]) -> None:
        self._own = own
        self._named = named
        self._guards = guards

    def __getattr__(self, name: str) -> Any:
        return getattr(self._named if name in self._guards else self._own, name)
