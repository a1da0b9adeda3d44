"""An agent's turn: from what woke it to its last message."""

from collections.abc import Sequence
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, final

from toolroute._calls import ProtocolError
from toolroute.runtime._answer import Answer
from toolroute.runtime._event import Cause
from toolroute.runtime._read import AnyCall, read
from toolroute.runtime._round import Round
from toolroute.runtime._script import Script

if TYPE_CHECKING:
    from toolroute.runtime._core import Core
    from toolroute.runtime._who import Who


@final
class Turn:
    """The handle for the calls that an agent's model makes.

    `async with runtime.turn("ada") as turn:` begins it, once no operator holds the
    agent, and ends it: calls that are still open then are answered. `begin` and `end`
    do the same for a turn that outlives a block.
    """

    def __init__(self, core: "Core", who: "Who", agent: str, id: str | None) -> None:  # noqa: A002
        self._agent = agent
        self._id = token_hex(8) if id is None else id
        self.who: Final = who
        self.core: Final = core
        self._begun = self._live = False
        self._rounds = 0
        self._last: Round | None = None
        self._scripts: list[Script] = []

    @property
    def agent(self) -> str:
        """Whose turn it is."""
        return self._agent

    @property
    def id(self) -> str:
        """The turn's own, or the host's for it."""
        return self._id

    @property
    def live(self) -> bool:
        """Whether it has begun and hasn't ended."""
        return self._live

    async def begin(self) -> None:
        """Begin it; a turn begins once."""
        if self._begun:
            raise ProtocolError("A turn begins once; take a new one.")
        await self.core.seats.sit(self.agent, self)
        self._begun = True
        self._live = True
        self.core.turns.add(self)

    def end(self) -> None:
        """It is over. Calls of its rounds still open are answered, of what was seen."""
        self.close("turn ended")

    def cancel(self) -> None:
        """End it because somebody wants it stopped, and every script in it, too.

        Also once it's over: scripts go on after a turn that merely ends.
        """
        try:
            self.close("cancelled")
        finally:
            for script in self._scripts:
                script.stop()

    def round(
        self, calls: Sequence[AnyCall], *, message: Any = None, key: str | None = None
    ) -> Round:
        """Register the calls of one assistant message; none of the server's runs yet.

        Client-plane calls are out from here on. Those of an earlier round are settled,
        since the model has gone on without them. `message` is handed to the window with
        the calls. `key` names the round, to try it again: the same calls have the same
        keys then.
        """
        if not self._live:
            raise ProtocolError(
                "Calls are made in a live turn: begin it, or a new one."
            )
        if self._last is not None and self._last.serving:
            raise ProtocolError("The turn's last round still runs; await it first.")
        reads = [read(call) for call in calls]
        self.settle_pending()
        if not self._live:
            raise ProtocolError(
                "The last round ended the turn, once its client-plane calls were "
                "settled; begin a new one for these calls."
            )
        self._rounds += 1
        self._last = Round(self, self._rounds, message)
        self._last.open(reads, key)
        return self._last

    async def run(
        self, calls: Sequence[AnyCall], *, message: Any = None, key: str | None = None
    ) -> tuple[Answer, ...]:
        """Run the calls of one assistant message; every answer, in call order.

        Waits for client-plane calls, too: somebody has to post their answers.
        """
        one = self.round(calls, message=message, key=key)
        await one.run()
        return await one.complete()

    def settle_pending(self) -> None:
        """Answer the client-plane calls still out: what a new user message does."""
        if self._last is not None:
            self._last.supersede()

    def script(self, *, caller: str | None = None) -> Script:
        """A script in this turn that no call of it runs; see `Context.script`."""
        return self.core.script(self, None, caller)

    def runs(self, script: Script) -> None:
        """This script was started in it."""
        self._scripts.append(script)

    def completed(self, *, ends: bool) -> None:
        """A round is stored."""
        if ends:
            self.close("turn ended")

    def close(self, cause: Cause) -> None:
        """End it for this cause."""
        if not self._live:
            return
        self._live = False
        self.core.turns.discard(self)
        try:
            if self._last is not None:
                self._last.end(cause)
        finally:
            self.core.seats.leave(self.agent)

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()
