"""A ledger that can't record: nothing is lost, and nothing runs unrecorded."""

from typing import Any

import pytest
from failing_ledger import FULL, Failing
from made_up_time import run
from runtime_house import Desk, House, call, texts, well

from toolroute import ToolResult
from toolroute.runtime import (
    Answer,
    LedgerError,
    MemoryLedger,
    NotExecuted,
    PuppetError,
    Wanted,
)


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


def test_a_round_of_a_hundred_takes_three_records() -> None:
    async def soon(_route: Any, _context: Any) -> ToolResult:
        return ToolResult("")

    ledger = Failing()

    async def main() -> None:
        async with House({"a": soon}).runtime(ledger=ledger).turn("ada") as turn:
            await turn.run([call("a")] * 100)

    run(main())
    assert ledger.records == 3
