"""Traps that others fell into: what is said is what was seen, once, on every road."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, House, call, settle_down, texts, well

from toolroute import ProtocolError, Refusal, ToolCall, ToolError, ToolResult
from toolroute.runtime import (
    Answer,
    Capture,
    Context,
    Exchange,
    Limits,
    MemoryLedger,
    PuppetError,
    Wanted,
)
from toolroute.runtime._answer import from_text, to_text
from toolroute.transcript import check


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
    assert texts([*answers.values()]) == ["done", "TOOL_NOT_EXECUTED"]


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

    house.decides = guards

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
