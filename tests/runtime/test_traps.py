"""Traps that others fell into: what is said is what was seen, once, on every road."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from runtime_house import Desk, Gate, House, call, run, settle_down, text, texts, well

from toolroute import ProtocolError, Refusal, ToolCall, ToolError, ToolResult
from toolroute.runtime import (
    Answer,
    Capture,
    Context,
    Exchange,
    LedgerEvidence,
    Limits,
    MemoryLedger,
    PuppetError,
    Wanted,
)
from toolroute.runtime._answer import from_text, to_text
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


def test_01_not_started_and_outcome_unknown_are_two_answers() -> None:
    house = House({"valve": _hangs})

    async def main() -> list[Any]:
        limits = Limits(at_once=1, seconds=5)
        async with house.runtime(limits=limits).turn("ada") as turn:
            one = turn.round([call("valve"), call("valve")])
            running = asyncio.ensure_future(one.run())
            await asyncio.sleep(4)
            one.cancel(1)
            await running
            return [answer.content["error"] for answer in await one.complete()]

    assert run(main()) == [
        {
            "code": "TOOL_OUTCOME_UNKNOWN",
            "message": "No result of valve is on record. It may have taken effect: "
            "check before calling it again.",
            "retry": "check-first",
        },
        {
            "code": "TOOL_NOT_EXECUTED",
            "message": "valve was not run, so nothing was done. "
            "Call it again if it is still needed.",
            "retry": "yes",
        },
    ]


def test_02_a_result_after_settlement_is_told_and_is_no_second_result() -> None:
    release = asyncio.Event()

    async def slow(_route: Any, _context: Context) -> ToolResult:
        try:
            await release.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(1)
        return ToolResult("opened")

    house = House({"valve": slow})
    ledger = MemoryLedger()
    desk = Desk()

    async def main() -> None:
        runtime = house.runtime(ledger=ledger, window=desk)
        async with runtime.turn("ada") as turn:
            one = turn.round([call("valve")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel()
            await running
            await asyncio.sleep(2)

    run(main())
    assert house.told()[-2:] == ["answered outcome_unknown", "late returned"]
    assert texts([house.events[-1].answer]) == ["opened"]
    assert [one.kind for one in ledger.find(Wanted())] == ["outcome_unknown"]
    assert desk.stored["ada"][1:] == [("results", ["TOOL_OUTCOME_UNKNOWN"])]


def test_03_a_call_that_shares_its_id_keeps_its_own_answer() -> None:
    async def main() -> list[Any]:
        house = House({"a": well, "b": _hangs})
        async with house.runtime().turn("ada") as turn:
            one = turn.round([call("a", "same"), call("b", "same"), call("a", "same")])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel()
            return texts(await running)

    assert run(main()) == ["a is done", "TOOL_OUTCOME_UNKNOWN", "a is done"]


def test_03_in_a_captured_step_too() -> None:
    step = Capture({"a": lambda **_: "done", "b": lambda **_: "done"}).step()
    step.tools["a"]()
    answers = step.settle([call("a", "same"), call("b", "same")])
    assert texts(answers.values()) == ["done", "TOOL_NOT_EXECUTED"]


def test_04_calls_without_an_id_are_as_many_as_they_are() -> None:
    ledger = MemoryLedger()

    async def main() -> list[Any]:
        house = House({"a": well, "b": well})
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            made = [ToolCall("", "a"), ToolCall("", "b"), ToolCall("", "page")]
            one = turn.round(made)
            await one.run()
            assert one.post(2, "from the page") is True
            return texts(await one.complete())

    assert run(main()) == ["a is done", "b is done", "from the page"]
    assert texts([one.answer for one in ledger.find(Wanted(id=""))]) == [
        "a is done",
        "b is done",
        "from the page",
    ]


def test_05_a_denial_is_an_error_whichever_way_it_is_said() -> None:
    def raised(_route: Any, _context: Context) -> ToolResult:
        raise ToolError("denied", code="DENIED")

    house = House(
        {
            "returned": lambda *_: ToolResult("denied", is_error=True),
            "raised": raised,
            "guarded": well,
        }
    )
    decide = house.decide

    def guards(made: ToolCall, *rest: Any) -> Any:
        if made.name == "guarded":
            return Refusal("denied", "DENIED", "no", "denied")
        return decide(made, *rest)

    house.decide = guards  # type: ignore[method-assign]

    async def main() -> list[Any]:
        runtime = house.runtime(window=Desk())
        answers: list[Answer] = []
        for name in ("returned", "raised", "guarded", "no"):
            async with runtime.turn("ada") as turn:
                answers += await turn.run([call(name)])
                answers.append(await turn.script().call(call(name)))
            answers.append(await runtime.host("ada").call(call(name)))
            try:
                answers.append(await runtime.puppet("ada").call(call(name)))
            except PuppetError as refused:
                answers.append(refused.answer)
        return [(one.is_error, one.status != "ok") for one in answers]

    assert run(main()) == [(True, True)] * 16


def test_06_what_is_read_back_shows_what_was_shown() -> None:
    def raises(_route: Any, _context: Context) -> ToolResult:
        raise ValueError

    ledger = MemoryLedger()
    desk = Desk()
    house = House(
        {
            "a": well,
            "b": raises,
            "c": lambda *_: ToolResult("no", is_error=True),
            "d": _hangs,
        }
    )
    names = ["a", "b", "c", "no", "page1", "d", "d", "page2"]

    async def main() -> list[Answer]:
        limits = Limits(at_once=1, seconds=3)
        runtime = house.runtime(ledger=ledger, limits=limits, window=desk)
        async with runtime.turn("ada") as turn:
            one = turn.round([call(name) for name in names])
            running = asyncio.ensure_future(one.run())
            await settle_down()
            one.cancel(6)
            one.post(4, "from the page")
            one.disclaim(7)
            await running
            return [*await one.complete()]

    shown = [answer.status for answer in run(main())]
    assert shown == [
        *("ok", "error", "error", "refused", "ok", "unknown", "not-run", "not-run")
    ]
    kept = [one.answer for one in ledger.find(Wanted(turn=None))]
    assert [one.status for one in kept if one is not None] == shown
    again = [from_text(to_text(one)) for one in kept if one is not None]
    assert [one.status for one in again] == shown
    assert desk.stored["ada"][1][1][4] == "from the page"


def test_07_no_result_is_stored_for_a_call_that_was_not_made() -> None:
    window = Transcript()

    async def main() -> None:
        async with House({"a": well}).runtime(window=window).turn("ada") as turn:
            one = turn.round([call("a", "c1"), call("page", "c2")])
            await one.run()
            assert one.find("c3") is None
            for place in (2, -1):
                with pytest.raises(ProtocolError, match="has 2 calls"):
                    one.post(place, "for no call")
                with pytest.raises(ProtocolError, match="has 2 calls"):
                    one.cancel(place)
            with pytest.raises(ProtocolError):
                one.post(0, "for the server's")
            one.post(1, "ok")
            assert one.post(1, "again") is False

    run(main())
    assert check(window.messages(), "anthropic") == []


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


Cancel = Sequence[str]


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
