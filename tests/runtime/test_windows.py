"""What is stored in an agent's window, and what lands behind."""

import asyncio
from typing import Any

import pytest
from made_up_time import Clockless, run
from runtime_house import Desk, Gate, House, call, settle_down, text, texts, well

from toolroute import ProtocolError
from toolroute.runtime import (
    Exchange,
    PuppetError,
)


def test_the_agent_is_held_while_the_tool_runs_and_messages_land_behind() -> None:
    desk = Desk()
    gate = Gate()
    house = House({"a": gate})

    async def main() -> None:
        runtime = house.runtime(window=desk)
        runtime.deliver("ada", "before")
        act = runtime.puppet("ada").start(call("a"))
        await settle_down()
        runtime.deliver("ada", "meanwhile 1")
        runtime.deliver("bob", "for another")
        turn = runtime.turn("ada")
        wake = asyncio.ensure_future(turn.begin())
        await settle_down()
        runtime.deliver("ada", "meanwhile 2")
        with pytest.raises(PuppetError, match="ada is held by an operator"):
            await runtime.puppet("ada").call(call("a"))
        assert (wake.done(), desk.stored["ada"]) == (False, ["before"])
        gate.let("a")
        await act
        await wake
        assert turn.live
        runtime.deliver("ada", "after")
        turn.end()

    run(main())
    assert desk.stored == {
        "ada": [
            "before",
            ("calls", ["a"]),
            ("results", ["a is done"]),
            "meanwhile 1",
            "meanwhile 2",
            "after",
        ],
        "bob": ["for another"],
    }


def test_a_runtime_without_a_window_has_no_puppets_and_no_messages() -> None:
    async def main() -> None:
        runtime = House({"a": well}).runtime()
        with pytest.raises(ProtocolError, match="has no window"):
            await runtime.puppet("ada").call(call("a"))
        with pytest.raises(ProtocolError, match="has no window"):
            runtime.deliver("ada", "hello")

    run(main())


def test_a_turns_round_is_stored_before_what_arrives_meanwhile() -> None:
    desk = Desk()
    gate = Gate()

    async def main() -> None:
        runtime = House({"a": gate}).runtime(window=desk)
        async with runtime.turn("ada") as turn:
            runtime.deliver("ada", "before")
            running = asyncio.ensure_future(turn.run([call("a"), call("page")]))
            await settle_down()
            runtime.deliver("ada", "meanwhile")
            gate.let("a")
            await settle_down()
            assert desk.stored["ada"] == ["before"]
            turn.settle_pending()
            await running
            runtime.deliver("ada", "after")

    run(main())
    assert desk.stored["ada"] == [
        "before",
        ("calls", ["a", "page"]),
        ("results", ["a is done", "TOOL_OUTCOME_UNKNOWN"]),
        "meanwhile",
        "after",
    ]


def test_a_round_that_cannot_be_stored_says_so_and_holds_nothing_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Full(Desk):
        def store(self, agent: str, exchange: Exchange) -> None:
            raise OSError("disk full", agent, exchange)

    desk = Full()

    async def main() -> None:
        runtime = House({"a": well}).runtime(window=desk)
        async with runtime.turn("ada") as turn:
            one = turn.round([call("a")])
            running = asyncio.ensure_future(one.run())
            runtime.deliver("ada", "meanwhile")
            assert texts(await running) == ["a is done"]
            with pytest.raises(OSError, match="disk full"):
                await one.complete()
            assert turn.live

    run(main())
    assert desk.stored["ada"] == ["meanwhile"]
    assert "couldn't be stored" in caplog.text


def test_a_message_that_cannot_be_stored_is_kept_and_stays_in_order(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Flaky(Desk):
        down = False

        def deliver(self, agent: str, message: Any) -> None:
            if self.down:
                raise OSError("down")
            super().deliver(agent, message)

    desk = Flaky()

    async def main() -> None:
        runtime = House({"a": well}).runtime(window=desk)
        async with runtime.turn("ada") as turn:
            one = turn.round([call("a")])
            runtime.deliver("ada", 1)
            runtime.deliver("ada", 2)
            desk.down = True
            await one.run()
            runtime.deliver("ada", 3)
            desk.down = False
            runtime.deliver("ada", 4)

    run(main())
    assert desk.stored["ada"][2:] == [1, 2, 3, 4]
    assert "is kept" in caplog.text


def test_a_window_that_answers_a_message_with_another_keeps_the_order() -> None:
    class Echo(Desk):
        runtime: Any = None

        def deliver(self, agent: str, message: Any) -> None:
            super().deliver(agent, message)
            if message == 1:
                self.runtime.deliver(agent, "echo")

    desk = Echo()

    async def main() -> None:
        desk.runtime = runtime = House({"a": well}).runtime(window=desk)
        async with runtime.turn("ada") as turn:
            one = turn.round([call("a")])
            runtime.deliver("ada", 1)
            runtime.deliver("ada", 2)
            await one.run()

    run(main())
    assert desk.stored["ada"][2:] == [1, 2, "echo"]


def test_one_message_lands_after_the_other_also_when_nothing_else_holds_them() -> None:
    """A window that answers each message before it has kept it."""

    class Echo(Desk):
        runtime: Any = None

        def deliver(self, agent: str, message: Any) -> None:
            if message in (1, 2):
                self.runtime.deliver(agent, f"of {message}")
            super().deliver(agent, message)

    desk = Echo()
    gate = Gate()

    async def main() -> Any:
        desk.runtime = runtime = House({"a": gate}).runtime(window=desk)
        act = runtime.puppet("ada").start(call("a"))
        runtime.deliver("ada", 1)
        runtime.deliver("ada", 2)
        gate.let("a")
        await act
        return runtime._core.seats._seats

    assert run(main()) == {}
    assert desk.stored["ada"][2:] == [1, 2, "of 1", "of 2"]


def test_an_operator_is_answered_also_when_storing_is_interrupted() -> None:
    class Interrupted(Desk):
        def store(self, agent: str, exchange: Exchange) -> None:
            raise KeyboardInterrupt(agent, exchange)

    gate = Gate()
    given: list[Any] = []

    async def main() -> None:
        runtime = House({"a": gate}).runtime(window=Interrupted())
        act = runtime.puppet("ada").start(call("a"))
        asyncio.get_running_loop().call_soon(gate.let, "a")
        given.append(await act)
        async with runtime.turn("ada") as turn:
            given.append(turn.live)

    with asyncio.Runner(loop_factory=Clockless) as runner:
        task = runner.get_loop().create_task(main())
        with pytest.raises(KeyboardInterrupt):
            runner.get_loop().run_forever()
        runner.get_loop().run_until_complete(task)
    assert [text(given[0]), given[1]] == ["a is done", True]


def test_agents_that_nothing_holds_are_forgotten() -> None:
    async def main() -> Any:
        runtime = House({"a": well}).runtime(window=Desk())
        for number in range(50):
            async with runtime.turn(f"agent {number}") as turn:
                await turn.run([call("a")])
            runtime.deliver(f"agent {number}", "hello")
        await runtime.puppet("ada").call(call("a"))
        return runtime._core.seats._seats

    assert run(main()) == {}
