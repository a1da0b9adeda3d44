from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, final

from toolroute._calls import ToolResult
from toolroute.routing._matched import ServerPlane

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolroute._calls import Refusal, Road, ToolCall
    from toolroute.routing._matched import ClientPlane

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
ServerT = TypeVar("ServerT", bound=ServerPlane)

Answering: TypeAlias = ToolResult | Awaitable[ToolResult]
"""What a handler gives: its result, or something to await for it."""


@final
class Bound(Generic[CallerT, HostT, ServerT]):
    """A generated module with a host's handlers in it: what the runtime works with.

    `decide` and `surface` are the module's own; `run` is its `dispatch` with the
    handlers; `roads` says which road each of the table's callers is on; `guards` names
    the host's members that are guards. A module's call is decided on what the host
    itself has, except that these are asked of the agent that the call names.
    """

    __slots__ = ("decide", "fingerprint", "guards", "roads", "run", "surface")

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a module
        self,
        decide: Callable[
            [ToolCall, CallerT, HostT, bool | None], ServerT | ClientPlane | Refusal
        ],
        surface: Callable[[CallerT, HostT], Sequence[str]],
        run: Callable[[ServerT, Any], Answering],
        roads: Mapping[CallerT, Road],
        guards: frozenset[str],
        fingerprint: str,
    ) -> None:
        self.decide: Final = decide
        self.surface: Final = surface
        self.run: Final = run
        self.roads: Final = roads
        self.guards: Final = guards
        self.fingerprint: Final = fingerprint

    def running(
        self, run: Callable[[ServerT, Any], Answering]
    ) -> Bound[CallerT, HostT, ServerT]:
        """The same module, whose handlers are run by `run`: around its own, say."""
        return Bound(
            decide=self.decide,
            surface=self.surface,
            run=run,
            roads=self.roads,
            guards=self.guards,
            fingerprint=self.fingerprint,
        )
