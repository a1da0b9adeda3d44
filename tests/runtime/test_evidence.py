from typing import Any

from made_up_time import run
from runtime_house import Gate, House, call, settle_down, well

from toolroute import ToolCall, ToolResult
from toolroute.runtime import LedgerEvidence, MemoryLedger
from toolroute.transcript import OpenCall


def _open(name: str, id_: str | None, given: Any = None, **kind: Any) -> OpenCall:
    return OpenCall(id_, name, given or {}, 0, 0, kind.get("unambiguous", True))


def _known(ledger: MemoryLedger, *asked: OpenCall, **whose: Any) -> list[Any]:
    evidence = LedgerEvidence(ledger, **whose)
    return [evidence.known(one) for one in asked]


def test_a_ledger_knows_what_was_answered_what_never_started_and_nothing_else() -> None:
    gate = Gate()
    ledger = MemoryLedger()
    house = House({"a": well, "b": gate})

    async def main() -> list[Any]:
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            one = turn.round([call("a", "1"), call("no", "2"), call("page", "3")])
            await one.run()
            one.disclaim(2)
            two = turn.round([call("b", "4"), call("page", "5")])
            running = two.run()
            known = _known(
                ledger,
                *(_open("a", "1"), _open("no", "2"), _open("page", "3")),
                *(_open("b", "4"), _open("page", "5"), _open("a", "6")),
            )
            gate.let("b")
            await running
            return known

    refused = {
        "error": {
            "code": "TOOL_REFUSED",
            "message": "no, so nothing was done",
            "retry": "no",
        }
    }
    assert run(main()) == [
        ToolResult("a is done"),
        ToolResult(refused, is_error=True),
        "not started",
        None,
        None,
        None,
    ]
    assert _known(ledger, _open("page", "5")) == [None]


def test_an_id_that_several_calls_have_tells_only_with_the_input() -> None:
    ledger = MemoryLedger()
    house = House({"a": lambda route, _: ToolResult(route.call.input["x"])})

    async def main() -> None:
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            await turn.run([ToolCall("1", "a", {"x": n}) for n in (1, 2, 2)])

    run(main())
    assert _known(
        ledger,
        _open("a", "1", {"x": 1}, unambiguous=False),
        _open("a", "1", {"x": 2}, unambiguous=False),
        _open("a", "1", {"x": 1}),
        _open("a", "1", {"x": 3}),
        _open("a", None, {"x": 1}),
        _open("a", None, {"x": 2}),
    ) == [ToolResult(1), None, ToolResult(1), None, ToolResult(1), None]


def test_an_input_that_the_wire_has_as_text_is_read() -> None:
    ledger = MemoryLedger()
    house = House({"a": lambda route, _: ToolResult(route.call.input.get("x"))})

    async def main() -> None:
        async with house.runtime(ledger=ledger).turn("ada") as turn:
            await turn.run([ToolCall("1", "a", given) for given in ({"x": 1}, {})])

    run(main())
    assert _known(
        ledger,
        _open("a", None, '{"x": 1}'),
        _open("a", "1", '{ "x":1 }'),
        _open("a", "1", " "),
        _open("a", "1", '{"x": '),
    ) == [ToolResult(1), ToolResult(1), ToolResult(None), None]


def test_evidence_is_of_one_agent_or_turn_if_said() -> None:
    ledger = MemoryLedger()
    house = House({"a": lambda _route, context: ToolResult(context.agent)})

    async def main() -> None:
        runtime = house.runtime(ledger=ledger)
        for agent in ("ada", "bob"):
            async with runtime.turn(agent, id=f"turn of {agent}") as turn:
                await turn.run([call("a", "1")])
        await settle_down()

    run(main())
    asked = _open("a", "1")
    assert _known(ledger, asked) == [None]
    assert _known(ledger, asked, agent="bob") == [ToolResult("bob")]
    assert _known(ledger, asked, turn="turn of ada") == [ToolResult("ada")]
    assert _known(ledger, asked, agent="eve") == [None]
