"""Traps that others fell into: what is said is what was seen, once, on every road."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import (
    Context,
    Exchange,
    LedgerEvidence,
    Limits,
    MemoryLedger,
)
from toolroute.transcript import check, settle


class Transcript(Desk):
    """A window that keeps its messages as Anthropic's wire has them."""

    def messages(self, agent: str = "ada") -> list[Any]:
        return self.stored.setdefault(agent, [{"role": "user", "content": "Begin."}])

    def store(self, agent: str, exchange: Exchange) -> None:
        uses = [
            {"type": "tool_use", "id": one.id, "name": one.name, "input": one.input}
            for one in exchange.calls
        ]
        self.messages(agent).append({"role": "assistant", "content": uses})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": made.id,
                "content": answer.json,
                "is_error": answer.is_error,
            }
            for made, answer in zip(exchange.calls, exchange.answers, strict=True)
        ]
        self.messages(agent).append({"role": "user", "content": results})

    def deliver(self, agent: str, message: Any) -> None:
        self.messages(agent).append({"role": "user", "content": message})


async def _hangs(_route: Any, _context: Context) -> ToolResult:
    await asyncio.get_running_loop().create_future()
    raise AssertionError


def test_08_every_client_result_is_there_before_anything_goes_on() -> None:
    window = Transcript()
    went_on: list[Any] = []

    async def main() -> None:
        async with House().runtime(window=window).turn("ada") as turn:
            one = turn.round([call(f"page{n}") for n in range(3)])

            async def goes_on() -> None:
                went_on.extend(texts(await one.complete()))

            task = asyncio.ensure_future(goes_on())
            for place in (2, 0, 1):
                assert went_on == []
                one.post(place, place)
                await settle_down()
            await task

    run(main())
    assert went_on == [0, 1, 2]
    (results,) = [one["content"] for one in window.messages()[2:]]
    assert [one["content"] for one in results] == ["0", "1", "2"]


def _stored() -> tuple[Transcript, MemoryLedger]:
    window, ledger = Transcript(), MemoryLedger()
    house = House({"a": well, "b": well})

    async def main() -> None:
        runtime = house.runtime(window=window, ledger=ledger)
        for number in range(3):
            async with runtime.turn("ada") as turn:
                made = [call("a", f"a{number}"), call("b", f"b{number}")]
                await turn.run(made)

    run(main())
    return window, ledger


def test_09_what_trimming_leaves_is_mended_from_the_record() -> None:
    window, ledger = _stored()
    whole = window.messages()
    without_results = [one for n, one in enumerate(whole) if n != 4]
    evidence = LedgerEvidence(ledger, agent="ada")
    settled = settle(without_results, "anthropic", evidence=evidence)
    assert check(settled.messages, "anthropic") == []
    said = [one["content"] for one in settled.messages[4]["content"]]
    assert said == ["a is done", "b is done"]
    without_calls = [one for n, one in enumerate(whole) if n != 3]
    settled = settle(without_calls, "anthropic", evidence=evidence)
    assert check(settled.messages, "anthropic") == []


@pytest.mark.parametrize("first", ["round", "call", "turn", "limit", "close"])
@pytest.mark.parametrize("then", ["round", "call", "turn", "limit", "close"])
def test_10_a_call_that_two_ways_cancel_is_answered_once(first: str, then: str) -> None:
    house = House({"a": _hangs})

    async def main() -> list[Any]:
        runtime = house.runtime(limits=Limits(seconds=50))
        turn = runtime.turn("ada")
        await turn.begin()
        one = turn.round([call("a")])
        running = asyncio.ensure_future(one.run())
        await settle_down()
        for way in (first, then):
            match way:
                case "round":
                    one.cancel()
                case "call":
                    one.cancel(0)
                case "turn":
                    turn.cancel()
                case "limit":
                    await asyncio.sleep(60)
                case _:
                    await runtime.close(0)
        return texts(await running)

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert house.told() == ["opened", "started", "answered outcome_unknown"]


def test_11_the_cause_is_what_was_seen_and_the_words_name_none() -> None:
    house = House({"a": _hangs})

    async def main() -> None:
        runtime = house.runtime(limits=Limits(seconds=50))

        async def one(how: str) -> None:
            turn = runtime.turn("ada")
            await turn.begin()
            made = turn.round([call("a"), call("page")])
            running = asyncio.ensure_future(made.run())
            await settle_down()
            match how:
                case "limit":
                    await asyncio.sleep(60)
                case "round":
                    made.cancel()
                case "end":
                    turn.end()
                case "message":
                    turn.settle_pending()
                case _:
                    await runtime.close(0)
            await settle_down()
            turn.end()
            await running

        for how in ("limit", "round", "end", "message", "close"):
            await one(how)

    run(main())
    ends = [event for event in house.events if event.what == "answered"]
    assert [event.cause for event in ends] == [
        *("time limit", "turn ended"),
        *("cancelled", "cancelled"),
        *("turn ended", "turn ended"),
        *("superseded", "turn ended"),
        *("closing", "closing"),
    ]
    words = {text(event.answer) for event in ends}
    assert words == {"TOOL_OUTCOME_UNKNOWN"}
    for event in ends:
        assert event.answer is not None
        assert "cancel" not in event.answer.json
        assert event.answer.is_error


def test_12_every_caller_that_stores_calls_stores_them_whole() -> None:
    window = Transcript()
    house = House({"a": well, "b": _hangs})

    async def main() -> None:
        runtime = house.runtime(window=window, limits=Limits(seconds=5))
        async with runtime.turn("ada") as turn:
            runtime.deliver("ada", "hello")
            made = [call("a", "1"), call("b", "2"), call("no", "3"), call("page", "4")]
            await turn.round(made).run()
            runtime.deliver("ada", "and then")
        await runtime.puppet("ada").call(call("a", ""))
        await runtime.puppet("ada").call(call("b", "5"))
        async with runtime.turn("ada") as turn:
            turn.round([call("a", "6"), call("page", "7")])

    run(main())
    assert len(window.messages()) == 11
    assert check(window.messages(), "anthropic") == []


@pytest.mark.parametrize("trouble", ["raises", "is cancelled", "times out"])
def test_13_siblings_that_have_finished_keep_their_results(trouble: str) -> None:
    gate = Gate()

    async def troubled(_route: Any, _context: Context) -> ToolResult:
        if trouble != "raises":
            await _hangs(_route, _context)
        await asyncio.sleep(1)
        raise ValueError

    house = House({"a": well, "b": troubled, "c": gate})

    async def main() -> list[Any]:
        runtime = house.runtime(limits=Limits(seconds=5))
        async with runtime.turn("ada") as turn:
            one = turn.round([call("a"), call("b"), call("c")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            if trouble == "is cancelled":
                one.cancel(1)
            gate.let("c")
            return texts(await running)

    answers = run(main())
    assert [answers[0], answers[2]] == ["a is done", "c is done"]
    assert answers[1] in ("TOOL_FAILED", "TOOL_OUTCOME_UNKNOWN")


def test_14_a_tool_that_does_not_exist_ends_no_run_and_is_no_tool() -> None:
    house = House({"a": well})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            first = await turn.run([call("nosuch"), call("a")])
            second = await turn.run([call("a")])
            return [*texts(first), first[0].status, *texts(second), turn.live]

    assert run(main()) == [
        "NO_SUCH_TOOL",
        "a is done",
        "refused",
        "a is done",
        True,
    ]
    assert house.told("nosuch") == ["opened", "answered refused"]
