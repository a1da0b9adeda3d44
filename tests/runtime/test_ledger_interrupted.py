"""Interrupts while something is recorded or delivered."""

from typing import Any

import pytest
from failing_ledger import Failing
from made_up_time import run
from runtime_house import Desk, House, call, well

from toolroute.runtime import (
    MemoryLedger,
    NotExecuted,
    Wanted,
)
from toolroute.runtime._desk import Desk as Desk_
from toolroute.runtime._event import Announcer
from toolroute.runtime._tracked import Tracked
from toolroute.runtime._who import PLAIN, Who


def test_interrupted_while_recording_answers_are_delivered_all_the_same() -> None:
    ledger = Failing("answered", error=KeyboardInterrupt())
    soon: list[Any] = []
    delivered: list[Any] = []
    desk = Desk_(ledger, Announcer([], ""), soon.append)
    core = House().runtime(ledger=ledger)._core

    class Receiver:
        def answered(self, tracked: Tracked, /) -> None:
            delivered.append(tracked.answer)

    calls = [core.track(Who("host", "host", None), call(name), PLAIN) for name in "ab"]
    desk.open(calls)
    for tracked in calls:
        tracked.receiver = Receiver()
        desk.end(tracked, "closed", NotExecuted(tracked.name), "cancelled")
    with pytest.raises(KeyboardInterrupt):
        desk.flush()
    assert (delivered, len(soon)) == ([], 1)
    ledger.kinds = ()
    soon[0]()
    assert delivered == [NotExecuted("a"), NotExecuted("b")]


def test_interrupted_while_delivering_the_rest_is_delivered_all_the_same() -> None:
    ledger = MemoryLedger()
    soon: list[Any] = []
    delivered: list[Any] = []
    desk = Desk_(ledger, Announcer([], ""), soon.append)
    core = House().runtime(ledger=ledger)._core

    class Receiver:
        def answered(self, tracked: Tracked, /) -> None:
            delivered.append(tracked.name)
            if tracked.name == "a":
                raise KeyboardInterrupt

    calls = [core.track(Who("host", "host", None), call(name), PLAIN) for name in "abc"]
    desk.open(calls)
    for tracked in calls:
        tracked.receiver = Receiver()
        desk.end(tracked, "closed", NotExecuted(tracked.name), "cancelled")
    with pytest.raises(KeyboardInterrupt):
        desk.flush()
    soon[0]()
    assert delivered == ["a", "b", "c"]
    assert [entry.state for entry in ledger.find(Wanted())] == ["answered"] * 3


def test_interrupted_while_recording_one_by_one_the_rest_is_delivered() -> None:
    """A record of several raises; so they are recorded singly, till an interrupt."""
    soon: list[Any] = []
    delivered: list[Any] = []
    kept = MemoryLedger()
    troubles: list[BaseException | None] = [OSError(), None, KeyboardInterrupt()]

    class Singly(Failing):
        def record(self, *given: Any) -> Any:
            trouble = troubles.pop(0) if given[2] and troubles else None
            if trouble is not None:
                raise trouble
            return kept.record(*given)

    desk = Desk_(Singly(), Announcer([], ""), soon.append)
    core = House().runtime(ledger=kept)._core

    class Receiver:
        def answered(self, tracked: Tracked, /) -> None:
            delivered.append(tracked.name)

    calls = [core.track(Who("host", "host", None), call(name), PLAIN) for name in "abc"]
    desk.open(calls)
    for tracked in calls:
        tracked.receiver = Receiver()
        desk.end(tracked, "closed", NotExecuted(tracked.name), "cancelled")
    with pytest.raises(KeyboardInterrupt):
        desk.flush()
    soon[0]()
    assert delivered == ["a", "b", "c"]
    assert [entry.state for entry in kept.find(Wanted())] == ["answered"] * 3


@pytest.mark.parametrize("kind", ["opened", "started", "answered"])
def test_interrupted_while_recording_a_call_is_answered_and_it_is_passed_on(
    kind: str,
) -> None:
    house = House({"a": well})
    ledger = Failing(kind, error=KeyboardInterrupt())
    desk = Desk()

    async def main() -> None:
        runtime = house.runtime(ledger=ledger, window=desk)
        with pytest.raises(KeyboardInterrupt):
            await runtime.host().call(call("a"))
        with pytest.raises(KeyboardInterrupt):
            await runtime.puppet("ada").call(call("a"))
        ledger.kinds = ()
        async with runtime.turn("ada") as turn:
            assert turn.live

    run(main())
    ended = "answered returned" if kind == "answered" else "answered not_executed"
    assert [one for one in house.told() if one.startswith("answered")] == [ended] * 2
    assert len(desk.stored.get("ada", [])) == (2 if kind == "answered" else 0)


@pytest.mark.parametrize("kind", ["opened", "started"])
def test_interrupted_while_recording_a_round_is_answered_and_it_is_passed_on(
    kind: str,
) -> None:
    house = House({"a": well})
    ledger = Failing(kind, error=KeyboardInterrupt())

    async def main() -> None:
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            with pytest.raises(KeyboardInterrupt):
                await turn.run([call("a"), call("no"), call("a")])
            ledger.kinds = ()

    run(main())
    answers = sorted(one for one in house.told() if one.startswith("answered"))
    assert answers == ["answered not_executed"] * 2 + ["answered refused"]
    assert house.ran == []
