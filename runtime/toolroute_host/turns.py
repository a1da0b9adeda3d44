"""An agent's rounds: kept before they run, so that none is lost when the host dies.

What a round's calls did is in the ledger; what was asked for is kept here. When the
host starts again the two make the messages that the round would have been stored as.
"""

from collections.abc import Sequence
from typing import Any

from toolroute import ToolCall
from toolroute.runtime import Answer, Exchange, Ledger, OutcomeUnknown, Turn, Wanted
from toolroute_host.windows import Unfinished
from toolroute_host.world import World

__all__ = ["recover", "run_round"]


async def run_round(
    world: World, turn: Turn, calls: Sequence[ToolCall], message: Any = None
) -> tuple[Answer, ...]:
    """Run the calls of one assistant message, which is `message` where it said more.

    One that makes no calls is stored as it is.
    """
    if not calls:
        if message is not None:
            world.windows.deliver(turn.agent, message)
        return ()
    begun = world.windows.begin(turn.agent, message, calls)
    try:
        one = turn.round(calls, message=begun, key=begun.key)
    except BaseException:
        world.windows.forget(begun)
        raise
    await one.run()
    return await one.complete()


def recover(world: World, ledger: Ledger) -> list[str]:
    """Store the rounds that a host which died left; gives the agents they were of.

    With the ledger that they ran on, opened since: that settled the calls of the dead.
    What another process runs just now is left to it.
    """
    left = world.windows.unfinished()
    for one in left:
        answers = [_answer(ledger, one, place) for place in range(len(one.calls))]
        exchange = Exchange(None, one.begun, one.calls, answers)
        world.windows.store(one.agent, exchange)
    return [one.agent for one in left]


def _answer(ledger: Ledger, one: Unfinished, place: int) -> Answer:
    """What the ledger says of a call; what it doesn't know of, nobody knows."""
    call = one.calls[place]
    key = f"{one.begun.key}.{place}"
    found = ledger.find(Wanted(agent=one.agent, id=call.id, name=call.name))
    answers = [entry.answer for entry in found if entry.opened.key == key]
    last = answers[-1] if answers else None
    return OutcomeUnknown(call.name) if last is None else last
