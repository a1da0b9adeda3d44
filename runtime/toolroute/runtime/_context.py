from collections.abc import Collection
from typing import TYPE_CHECKING, final

from toolroute.runtime._tracked import Tracked

if TYPE_CHECKING:
    from toolroute.runtime._core import Core
    from toolroute.runtime._script import Script


@final
class Context:
    """What a handler is told of the call besides its route; the road isn't.

    Good for as long as the handler runs.
    """

    __slots__ = ("_call", "_core")

    def __init__(self, call: Tracked, core: "Core") -> None:
        self._call = call
        self._core = core

    @property
    def agent(self) -> str | None:
        """Whose call it is; None where it's nobody's, and for a module's.

        An agent that a module names is there for guards alone.
        """
        opened = self._call.opened
        return opened.agent if opened.module is None else None

    @property
    def turn(self) -> str | None:
        """The live turn that the call is made in."""
        return self._call.opened.turn

    @property
    def round(self) -> int | None:
        """Which round of the turn, from 1; None for an awaited call."""
        return self._call.opened.round

    @property
    def key(self) -> str:
        """The same whenever this very call is tried, and no other call's."""
        return self._call.opened.key

    @property
    def cancelled(self) -> bool:
        """Whether the call was answered without its handler, which should stop then.

        An async handler is cancelled besides. Can be read in any thread.
        """
        return self._call.state == "answered"

    async def others(
        self, *, but: Collection[str] = (), seconds: float | None = None
    ) -> tuple[str, ...]:
        """Wait for the other server-plane calls of this call's round.

        Not for those named in `but` (one name or several), nor for ones that wait for
        this call. Meanwhile its slot is free for them. Gives the names of those still
        open when `seconds` had passed: none, as a rule. A call without a round, or one
        that is no longer open, waits for nothing.
        """
        from toolroute.runtime._round import Round  # noqa: PLC0415 -- it runs handlers

        receiver = self._call.receiver
        if not isinstance(receiver, Round):
            return ()
        names = (but,) if isinstance(but, str) else but
        return await receiver.others(self._call, names, seconds)

    def script(self, *, caller: str | None = None) -> "Script":
        """A script that this call runs, in the turn that this call is made in.

        A call of it that ends the turn does so with this call's own result.
        """
        return self._core.script(self._call.turn, self._call, caller)
