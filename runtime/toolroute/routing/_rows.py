"""The rows of a table as a generated module states them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar, final

from toolroute._calls import Refusal, ToolCall
from toolroute.routing._matched import Matched
from toolroute.routing._once import once

if TYPE_CHECKING:
    from toolroute.routing._shapes import Shape

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
RouteT = TypeVar("RouteT", bound=Matched)

Step: TypeAlias = Callable[[ToolCall, CallerT, HostT, bool], RouteT | Refusal | None]
"""What a route says to a call whose name it takes; `None`: the next one is tried."""


@final
class Named(Generic[CallerT, HostT, RouteT]):
    """A row that takes the names it lists.

    `always`: its step leaves no call to a later row. `rereads`: it reads a capability
    that an earlier row may have read for the same name. `advertise`: what must be
    present for the names to stand on the surface; `None`: they never do.
    """

    __slots__ = ("advertise", "always", "names", "rereads", "step")

    def __init__(
        self,
        step: Step[CallerT, HostT, RouteT],
        names: tuple[str, ...],
        *,
        always: bool = False,
        rereads: bool = False,
        advertise: tuple[str, ...] | None = (),
    ) -> None:
        self.step: Final = step
        self.names: Final = names
        self.always: Final = always
        self.rereads: Final = rereads
        self.advertise: Final = advertise


@final
class Shaped(Generic[CallerT, HostT, RouteT]):
    """A row that takes the names of a shape; the host's `lister` lists some of them.

    The rest is as in `Named`.
    """

    __slots__ = ("advertise", "always", "lister", "rereads", "shape", "step")

    def __init__(  # noqa: PLR0913 - all that a row says
        self,
        step: Step[CallerT, HostT, RouteT],
        shape: Shape,
        lister: str,
        *,
        always: bool = False,
        rereads: bool = False,
        advertise: tuple[str, ...] | None = (),
    ) -> None:
        self.step: Final = step
        self.shape: Final = shape
        self.lister: Final = lister
        self.always: Final = always
        self.rereads: Final = rereads
        self.advertise: Final = advertise


Row: TypeAlias = Named[CallerT, HostT, RouteT] | Shaped[CallerT, HostT, RouteT]


@final
class FirstOf(Generic[CallerT, HostT, RouteT]):
    """Several steps as one: the first that has something to say.

    `rereads`: two of them read one capability, so each is read once for all of them.
    """

    __slots__ = ("_rereads", "_steps")

    def __init__(
        self, steps: Sequence[Step[CallerT, HostT, RouteT]], *, rereads: bool
    ) -> None:
        self._steps: Final = steps
        self._rereads: Final = rereads

    def __call__(
        self,
        call: ToolCall,
        caller: CallerT,
        host: HostT,
        in_turn: bool,  # noqa: FBT001 - a step as any other
    ) -> RouteT | Refusal | None:
        if self._rereads:
            host = once(host)
        for step in self._steps:
            decided = step(call, caller, host, in_turn)
            if decided is not None:
                return decided
        return None
