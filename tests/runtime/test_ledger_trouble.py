"""A ledger that can't record: nothing is lost, and nothing runs unrecorded."""

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from runtime_house import Desk, House, call, run, texts, well

from toolroute import ToolResult
from toolroute.runtime import (
    Answer,
    Entry,
    LedgerError,
    MemoryLedger,
    NotExecuted,
    Opened,
    PuppetError,
    Wanted,
)
from toolroute.runtime._desk import Desk as Desk_
from toolroute.runtime._event import Announcer
from toolroute.runtime._tracked import Tracked
from toolroute.runtime._who import PLAIN, Who

FULL = LedgerError("full", "the disk is full")


class Failing:
    """A memory ledger that can't record certain things."""

    def __init__(
        self,
        *kinds: str,
        error: BaseException = FULL,
        names: Collection[str] = (),
        cut: bool = False,
    ) -> None:
        self.real = MemoryLedger()
        self.kinds = kinds
        self.error = error
        self.names = names
        self.cut = cut
        self.owner = self.real.owner
        self.number = self.real.number
        self.recovered: Sequence[Entry] = ()
        self.records = 0

    def record(
        self,
        opened: Sequence[Opened] = (),
        started: Sequence[int] = (),
        answered: Sequence[tuple[int, Answer]] = (),
        /,
    ) -> Collection[int]:
        self.records += 1
        what = {"opened": opened, "started": started, "answered": answered}
        names = {
            entry.opened.call.name
            for entry in self.real.find(Wanted())
            if entry.opened.number in dict(answered)
        }
        if any(what[kind] for kind in self.kinds) and (
            not self.names or names & {*self.names}
        ):
            raise self.error
        self.real.record(opened, started, answered)
        return [number for number, _ in answered] if self.cut else ()

    def find(self, wanted: Wanted, /) -> Sequence[Entry]:
        return self.real.find(wanted)

    def close(self) -> None:
        self.real.close()


@pytest.mark.parametrize("kind", ["opened", "started"])
def test_what_cannot_be_recorded_before_it_runs_is_not_run(kind: str) -> None:
    house = House({"a": well})

    async def main() -> Answer:
        return await house.runtime(ledger=Failing(kind)).host().call(call("a"))

    assert run(main()) == NotExecuted("a")
    assert house.ran == []
    assert house.told() == [
        "opened",
        "answered not_executed",
        "unrecorded not_executed",
    ]
    assert [event.error for event in house.events[1:]] == [FULL, FULL]


@pytest.mark.parametrize("kind", ["opened", "started"])
def test_a_round_that_cannot_be_recorded_before_it_runs_is_not_run(kind: str) -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        async with house.runtime(ledger=Failing(kind)).turn("ada") as turn:
            return texts(await turn.run([call("a"), call("no"), call("page")]))

    assert run(main()) == ["TOOL_NOT_EXECUTED", "TOOL_REFUSED", "TOOL_NOT_EXECUTED"]
    assert house.ran == []


def test_an_answer_that_cannot_be_recorded_is_delivered_and_told() -> None:
    house = House({"a": well})
    ledger = Failing("answered")

    async def main() -> list[Any]:
        runtime = house.runtime(ledger=ledger)
        awaited = await runtime.host().call(call("a"))
        async with runtime.turn("ada") as turn:
            return texts([awaited, *await turn.run([call("a")])])

    assert run(main()) == ["a is done", "a is done"]
    assert (
        house.told()
        == [
            "opened",
            "started",
            "answered returned",
            "unrecorded returned",
        ]
        * 2
    )
    assert [entry.state for entry in ledger.find(Wanted())] == ["started", "started"]


def test_one_answer_that_cannot_be_kept_takes_no_other_with_it() -> None:
    house = House({"a": well, "b": well, "c": well})
    ledger = Failing("answered", names=["b"])

    async def main() -> list[Any]:
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            return texts(await turn.run([call("a"), call("b"), call("c")]))

    assert run(main()) == ["a is done", "b is done", "c is done"]
    assert house.told("b")[-1] == "unrecorded returned"
    assert [entry.state for entry in ledger.find(Wanted())] == [
        "answered",
        "started",
        "answered",
    ]


def test_an_answer_over_the_size_cap_is_delivered_whole_and_told() -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        runtime = house.runtime(ledger=Failing(cut=True))
        awaited = await runtime.host().call(call("a"))
        async with runtime.turn("ada") as turn:
            return texts([awaited, *await turn.run([call("a")])])

    assert run(main()) == ["a is done", "a is done"]
    assert [
        (event.what, str(event.error)) for event in house.events if event.error
    ] == [
        (
            "unrecorded",
            "The answer is over the ledger's size cap, so it isn't on record.",
        )
    ] * 2


def test_a_ledger_that_raises_something_else_loses_nothing_either() -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        given: list[Any] = []
        for kind in ("opened", "answered"):
            ledger = Failing(kind, error=ZeroDivisionError())
            given.append(await house.runtime(ledger=ledger).host().call(call("a")))
        return texts(given)

    assert run(main()) == ["TOOL_NOT_EXECUTED", "a is done"]


def test_a_closed_ledger_runs_nothing() -> None:
    house = House({"a": well})
    ledger = MemoryLedger()
    ledger.close()

    async def main() -> list[Any]:
        return texts([await house.runtime(ledger=ledger).host().call(call("a"))])

    assert run(main()) == ["TOOL_NOT_EXECUTED"]
    error = house.events[-1].error
    assert isinstance(error, LedgerError)
    assert (error.kind, error.text) == (
        "closed",
        "This ledger was closed; open another.",
    )


def test_an_operators_act_that_cannot_be_recorded_stores_nothing() -> None:
    desk = Desk()

    async def main() -> None:
        runtime = House({"a": well}).runtime(ledger=Failing("started"), window=desk)
        with pytest.raises(PuppetError, match="a was not run"):
            await runtime.puppet("ada").call(call("a"))
        async with runtime.turn("ada"):
            pass

    run(main())
    assert desk.stored == {}


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


def test_a_round_of_a_hundred_takes_three_records() -> None:
    async def soon(_route: Any, _context: Any) -> ToolResult:
        return ToolResult("")

    ledger = Failing()

    async def main() -> None:
        async with House({"a": soon}).runtime(ledger=ledger).turn("ada") as turn:
            await turn.run([call("a")] * 100)

    run(main())
    assert ledger.records == 3


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
