"""What the handles share: the decision, and how an awaited call begins."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from toolroute._calls import ProtocolError, Refusal, Road, ToolCall
from toolroute.routing import Bound, ClientPlane, ServerPlane, check_failed
from toolroute.runtime._answer import Answer, BadArguments, Refused
from toolroute.runtime._context import Context
from toolroute.runtime._desk import Desk
from toolroute.runtime._event import Cause
from toolroute.runtime._limits import Limits
from toolroute.runtime._read import AnyCall, read
from toolroute.runtime._running import Runner
from toolroute.runtime._script import Script
from toolroute.runtime._seats import Seats
from toolroute.runtime._tracked import Receiver, Tracked, opened_from
from toolroute.runtime._who import Act, AsModule, Who

if TYPE_CHECKING:
    from toolroute.runtime._turn import Turn

View: TypeAlias = Callable[[str | None], Any]
"""The host, as this agent sees it; the host's own view, for None."""

Decision: TypeAlias = ServerPlane | ClientPlane | Refusal

_log: Final = logging.getLogger("toolroute")


@final
class Core:
    """The parts of one runtime, and what every road does with them."""

    def __init__(  # noqa: PLR0913, PLR0917 -- one place puts them together
        self,
        bound: Bound[Any, Any, Any],
        view: View,
        desk: Desk,
        runner: Runner,
        seats: Seats,
        limits: Limits,
    ) -> None:
        self.bound: Final = bound
        self._view = view
        self._decide = bound.decide
        self.desk: Final = desk
        self.runner: Final = runner
        self.seats: Final = seats
        self.limits: Final = limits
        self.turns: Final[set[Turn]] = set()
        self.modules: Final[set[str]] = set()
        self.closing = False
        self.number: Final = desk.ledger.number
        self._prefix = f"{desk.ledger.owner}."

    def caller(self, road: Road, named: str | None) -> str:
        """The table's caller on this road; where there are several, the one named."""
        there = [c for c, its_road in self.bound.roads.items() if its_road == road]
        if named is None and len(there) == 1:
            return str(there[0])
        if named in there:
            return str(named)
        if not there:
            raise ProtocolError(
                f"The table has no caller on the road {road}. Declare one under "
                "`callers:` and build again."
            )
        known = ", ".join(map(str, there))
        raise ProtocolError(
            f"The table's callers on the road {road} are {known}; name one of them as "
            f"`caller`, not {named}."
        )

    def host(self, who: Who) -> Any:
        """The host as this caller sees it, for one decision."""
        if who.module is None:
            return self._view(who.agent)
        own = self._view(None)
        if who.agent is None:
            return own
        return AsModule(own, self._view(who.agent), self.bound.guards)

    def decide(self, call: ToolCall, who: Who, in_turn: bool | None) -> Decision:  # noqa: FBT001
        """What the table says; closed, not open, where it can't be asked."""
        try:
            host = self._view(who.agent) if who.module is None else self.host(who)
            return self._decide(call, who.caller, host, in_turn)
        except Exception:  # noqa: BLE001 -- closed, not open, and logged
            _log.exception("The host couldn't be asked about a call of %r", call.name)
            return check_failed(call.name)

    def key(self, number: int) -> str:
        """The key of a call that the host didn't name."""
        return self._prefix + str(number)

    def track(self, who: Who, call: ToolCall, act: Act) -> Tracked:
        """An awaited call, with a number of its own."""
        number = self.number()
        key, turn = act.key, act.turn
        fields = (
            number,
            f"{self._prefix}{number}" if key is None else key,
            who.road,
            who.caller,
            who.agent,
            who.module,
            None if turn is None else turn.id,
            None,
            0,
            call,
        )
        return Tracked(opened_from(fields), turn)

    def begin(
        self, who: Who, call: AnyCall, act: Act, receiver: Receiver | None = None
    ) -> Tracked:
        """Make an awaited call; a sync handler has answered it when this returns."""
        call, bad = read(call)
        tracked = self.track(who, call, act)
        tracked.receiver = receiver
        if self.closing or act.away:
            self.turn_away(tracked, "closing" if self.closing else "script stopped")
        elif bad is not None:
            self.refuse(tracked, BadArguments(call.name, bad))
        else:
            try:
                decision = self.decide(call, who, act.in_turn)
            except BaseException:
                self.turn_away(tracked, "interrupted")
                raise
            if isinstance(decision, ServerPlane):
                self.run(tracked, decision)
            else:
                self.proceed(tracked, decision)
        return tracked

    def proceed(self, tracked: Tracked, decision: Decision) -> None:
        """Open it, and refuse or run it, as decided."""
        if isinstance(decision, ServerPlane):
            self.run(tracked, decision)
        elif isinstance(decision, Refusal):
            self.refuse(tracked, Refused(decision))
        else:
            self.turn_away(tracked, "refused")
            raise ProtocolError(
                f"{tracked.name} runs on the client's plane, which only a turn has. "
                "Give its route an `off_turn` and build the table again."
            )

    def run(self, tracked: Tracked, route: ServerPlane) -> None:
        """Open and start it in one, and run its handler."""
        tracked.route = route
        if self.desk.open_started(tracked):
            self.runner.launch(tracked, route, Context(tracked, self))

    def script(
        self, turn: "Turn | None", call: Tracked | None, named: str | None
    ) -> Script:
        """A script in this turn, or in none, that this call runs, or none does."""
        agent = None if turn is None else turn.agent
        if turn is None and call is not None and call.opened.module is None:
            agent = call.opened.agent
        who = Who("script", self.caller("script", named), agent)
        script = Script(self, who, turn)
        if turn is not None:
            turn.runs(script)
        if call is not None:
            call.scripts = [*(call.scripts or ()), script]
        return script

    def refuse(self, tracked: Tracked, answer: Answer) -> None:
        """Open and answer it: nothing runs."""
        self.desk.open((tracked,), ((tracked, answer, "refused", None),))

    def turn_away(self, tracked: Tracked, cause: Cause) -> None:
        """Open it and close it: nothing runs."""
        if self.desk.open((tracked,)):
            self.runner.stop(tracked, cause)
