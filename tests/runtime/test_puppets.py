import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import Desk, Gate, House, call, settle_down, text, texts, well

from toolroute import ToolResult
from toolroute.runtime import (
    Context,
    Exchange,
    Limits,
    MemoryLedger,
    PuppetError,
    RawCall,
    Wanted,
)


def _refused(house: House, desk: Desk, made: Any, agent: str = "ada") -> str:
    """The words that an operator's call is refused with; nothing may be stored."""

    async def main() -> str:
        runtime = house.runtime(window=desk)
        with pytest.raises(PuppetError) as refused:
            await runtime.puppet(agent).call(made)
        async with runtime.turn(agent):
            pass
        return str(refused.value)

    before = {agent: list(stored) for agent, stored in desk.stored.items()}
    words = run(main())
    assert (house.ran, desk.stored) == ([], before)
    return words


def test_call_and_result_are_stored_as_one_adjacent_pair() -> None:
    desk = Desk()
    house = House({"a": well})

    async def main() -> Any:
        return text(await house.runtime(window=desk).puppet("ada").call(call("a")))

    assert run(main()) == "a is done"
    assert desk.stored == {"ada": [("calls", ["a"]), ("results", ["a is done"])]}


def test_the_agent_must_exist() -> None:
    assert _refused(House({"a": well}), Desk(), call("a"), "eve") == (
        "Unknown agent: eve"
    )


def test_the_agent_must_be_idle() -> None:
    desk = Desk({"ada": "compacting"})
    assert _refused(House({"a": well}), desk, call("a")) == (
        "puppet refused: agent ada is compacting (requires idle, with no turn alive), "
        "so nothing was done."
    )


def test_no_turn_of_the_agent_may_be_alive() -> None:
    desk = Desk()

    async def main() -> str:
        runtime = House({"a": well}).runtime(window=desk)
        async with runtime.turn("ada"):
            with pytest.raises(PuppetError) as refused:
                await runtime.puppet("ada").call(call("a"))
        assert text(await runtime.puppet("ada").call(call("a"))) == "a is done"
        return str(refused.value)

    assert run(main()).startswith("puppet refused: agent ada is in a turn (requires")


def test_the_name_must_be_on_the_agents_surface() -> None:
    house = House({"a": well}, hidden={"a"})
    assert _refused(house, Desk(), call("a")) == (
        "puppet refused: tool a is not on ada's surface, so nothing was done."
    )
    assert house.checked == []


def test_a_refusal_raises_and_stores_nothing() -> None:
    desk = Desk()
    assert _refused(House(), desk, call("no")) == "no, so nothing was done"


def test_arguments_that_cannot_be_read_raise_and_store_nothing() -> None:
    words = _refused(House({"a": well}), Desk(), RawCall("1", "a", "{"))
    assert words.startswith("a was not run, since its arguments aren't JSON")


def test_what_comes_first_is_said_first() -> None:
    house = House(hidden={"no"})
    bad = RawCall("1", "no", "{")
    assert _refused(house, Desk({}), bad).startswith("Unknown agent")
    assert "is busy" in _refused(house, Desk({"ada": "busy"}), bad)
    assert "surface" in _refused(house, Desk(), bad)
    assert "aren't JSON" in _refused(House(), Desk(), bad)


def test_a_window_that_cannot_be_asked_refuses(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Desk):
        def status(self, agent: str) -> str | None:
            raise OSError(agent)

    assert _refused(House({"a": well}), Broken(), call("a")) == (
        "a couldn't be checked, so nothing was done."
    )
    assert "couldn't be asked" in caplog.text


def test_error_results_are_stored() -> None:
    def raises(_route: Any, _context: Context) -> ToolResult:
        raise ValueError("no luck")

    def error(_route: Any, _context: Context) -> ToolResult:
        return ToolResult("that toolset isn't open", is_error=True)

    desk = Desk()

    async def main() -> list[Any]:
        puppet = House({"a": raises, "b": error}).runtime(window=desk).puppet("ada")
        return texts([await puppet.call(call("a")), await puppet.call(call("b"))])

    assert run(main()) == ["TOOL_FAILED", "that toolset isn't open"]
    assert desk.stored["ada"] == [
        ("calls", ["a"]),
        ("results", ["TOOL_FAILED"]),
        ("calls", ["b"]),
        ("results", ["that toolset isn't open"]),
    ]


def test_the_agent_is_reserved_before_anything_is_awaited() -> None:
    desk = Desk()
    gate = Gate()

    async def main() -> None:
        runtime = House({"a": gate}).runtime(window=desk)
        first = runtime.puppet("ada").start(call("a"))
        with pytest.raises(PuppetError, match="held by an operator"):
            await runtime.puppet("ada").start(call("a"))
        gate.let("a")
        await first

    run(main())


@pytest.mark.parametrize("how", ["raises", "times out", "cancelled", "waiter gone"])
def test_the_agent_is_let_go_of_whatever_happens(how: str) -> None:
    desk = Desk()
    gate = Gate()

    def raises(_route: Any, _context: Context) -> ToolResult:
        raise ValueError

    house = House({"a": raises if how == "raises" else gate})

    async def main() -> None:
        runtime = house.runtime(window=desk, limits=Limits(seconds=5))
        puppet = runtime.puppet("ada")
        if how == "waiter gone":
            waiter = asyncio.ensure_future(puppet.call(call("a")))
            await settle_down()
            waiter.cancel()
            await settle_down()
            gate.let("a")
        else:
            act = puppet.start(call("a"))
            if how == "cancelled":
                act.cancel()
            await act
        await settle_down()
        async with runtime.turn("ada") as turn:
            assert turn.live

    run(main())
    assert desk.stored["ada"] == [
        ("calls", ["a"]),
        (
            "results",
            [
                {
                    "raises": "TOOL_FAILED",
                    "times out": "TOOL_OUTCOME_UNKNOWN",
                    "cancelled": "TOOL_OUTCOME_UNKNOWN",
                    "waiter gone": "a is done",
                }[how]
            ],
        ),
    ]


def test_a_pair_that_cannot_be_stored_raises_and_lets_go(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Full(Desk):
        full = True

        def store(self, agent: str, exchange: Exchange) -> None:
            if self.full:
                raise OSError("disk full")
            super().store(agent, exchange)

    desk = Full()
    house = House({"a": well})

    async def main() -> None:
        runtime = house.runtime(window=desk)
        with pytest.raises(OSError, match="disk full"):
            await runtime.puppet("ada").call(call("a"))
        desk.full = False
        await runtime.puppet("ada").call(call("a"))

    run(main())
    assert house.told() == ["opened", "started", "answered returned"] * 2
    assert len(desk.stored["ada"]) == 2
    assert "couldn't be stored" in caplog.text


def test_the_very_decision_that_was_made_is_run() -> None:
    house = House({"a": lambda route, _: ToolResult(route.capability)})
    house.capabilities["ada"] = "now"

    async def main() -> Any:
        puppet = house.runtime(window=Desk()).puppet("ada")
        act = puppet.start(call("a"))
        house.capabilities["ada"] = "later"
        return text(await act)

    assert run(main()) == "now"
    assert house.checked == [("ada", "a")]


def test_a_stored_call_has_an_id() -> None:
    ids: list[str] = []

    class Ids(Desk):
        def store(self, agent: str, exchange: Exchange) -> None:
            ids.extend(made.id for made in exchange.calls)
            super().store(agent, exchange)

    async def main() -> None:
        puppet = House({"a": well}).runtime(window=Ids()).puppet("ada")
        await puppet.call(RawCall("", "a", "{}"))
        await puppet.call(RawCall("", "a", "{}"))
        await puppet.call(call("a", "mine"))

    run(main())
    assert len({*ids}) == 3
    assert ids[2] == "mine"
    assert all(id_.startswith("call_") and len(id_) > 20 for id_ in ids[:2])


def test_every_refused_act_is_on_record_with_its_answer() -> None:
    ledger = MemoryLedger()

    async def main() -> None:
        runtime = House().runtime(window=Desk(), ledger=ledger)
        for agent, name in (("eve", "no"), ("ada", "a"), ("ada", "no")):
            with pytest.raises(PuppetError) as refused:
                await runtime.puppet(agent).call(call(name))
            (last,) = ledger.find(Wanted())[-1:]
            assert last.answer == refused.value.answer

    run(main())
    assert [entry.opened.road for entry in ledger.find(Wanted())] == ["puppet"] * 3
