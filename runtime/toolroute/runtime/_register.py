"""A round's calls, before any that runs here starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from toolroute._calls import Refusal, ToolCall
from toolroute.routing import ClientPlane
from toolroute.runtime._answer import Answer, BadArguments, Refused
from toolroute.runtime._desk import Ended
from toolroute.runtime._ledger import Opened
from toolroute.runtime._tracked import Tracked, opened_from

if TYPE_CHECKING:
    from toolroute.runtime._turn import Turn


@final
@dataclass(frozen=True, slots=True)
class Pending:
    """A client-plane call that is out: run it elsewhere, then post what it gave.

    `place` is its place in the round; `call` is the call to run, which an outer one may
    have carried; `route` is the decision, with all that was learnt.
    """

    place: int
    key: str
    call: ToolCall
    route: ClientPlane


def track(
    turn: "Turn", number: int, calls: Sequence[ToolCall], key: str | None
) -> tuple[Tracked, ...]:
    """The calls of the turn's round with this number, each with a number of its own."""
    core, who = turn.core, turn.who

    def opened(place: int, call: ToolCall) -> Opened:
        its_own = core.number()
        its_key = core.key(its_own) if key is None else f"{key}.{place}"
        named = (who.road, who.caller, who.agent, None)
        return opened_from((its_own, its_key, *named, turn.id, number, place, call))

    return tuple(Tracked(opened(*one), turn) for one in enumerate(calls))


def decide(
    turn: "Turn", calls: Sequence[Tracked], bad: Sequence[str | None]
) -> list[Ended]:
    """Give each call its route; those that get none, with their answers.

    `bad` says why a call's arguments couldn't be read.
    """
    refused: list[Ended] = []
    for call, reason in zip(calls, bad, strict=True):
        if reason is not None:
            answer: Answer = BadArguments(call.name, reason)
        else:
            decision = turn.core.decide(call.opened.call, turn.who, None)
            if not isinstance(decision, Refusal):
                call.route = decision
                continue
            answer = Refused(decision, marked=True)
        refused.append((call, answer, "refused", None))
    return refused


def pending(calls: Sequence[Tracked]) -> tuple[Pending, ...]:
    """Those of the client's plane that are out."""
    return tuple(
        Pending(call.opened.place, call.opened.key, call.route.call, call.route)
        for call in calls
        if isinstance(call.route, ClientPlane) and call.state == "started"
    )
