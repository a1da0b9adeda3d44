"""Without an event loop, on one that was closed, and when one is asked to stop."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, text, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import Context, Limits, Runtime


async def _later(_route: Any, _context: Context) -> ToolResult:
    await asyncio.sleep(1)
    return ToolResult("later")


def test_where_no_loop_runs_a_sync_handler_answers() -> None:
    house = House({"a": well})
    assert text(house.runtime().host().start(call("a")).answer) == "a is done"
    assert house.told() == ["opened", "started", "answered returned"]


@pytest.mark.parametrize("how", ["async", "in a thread"])
def test_where_no_loop_runs_what_needs_one_is_misuse_and_the_call_is_answered(
    how: str,
) -> None:
    house = House({"a": _later if how == "async" else well})
    in_thread = frozenset({"work"} if how == "in a thread" else ())
    runtime = house.runtime(limits=Limits(in_thread=in_thread))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(ProtocolError, match="No event loop runs here"):
            runtime.host().start(call("a"))
        gc.collect()
    assert warned == []
    assert house.told() == ["opened", "started", "answered failed"]
    assert runtime._core.runner.calls == set()


def test_answers_that_a_closed_loop_never_came_to_hold_up_no_other_loop() -> None:
    """The loop stops after a handler's last step, and before the record of it."""
    house = House({"a": _later})
    runtime = house.runtime()
    turn = runtime.turn("ada")
    first = asyncio.SelectorEventLoop()

    async def stops() -> None:
        await turn.begin()
        turn.round([call("a")])._line.go([0])
        (task,) = runtime._core.runner.tasks
        task.add_done_callback(lambda _: first.stop())

    first.run_until_complete(stops())
    first.run_forever()
    first.close()
    assert house.told() == ["opened", "started"]

    async def goes_on() -> list[Any]:
        turn.end()
        async with runtime.turn("ada") as another:
            return texts(await another.run([call("a")]))

    assert run(goes_on()) == ["later"]
    assert house.told() == ["opened", "started", "answered returned"] * 2


def test_what_begins_after_its_call_is_cancelled_is_wanted_no_longer() -> None:
    rounds: list[Any] = []
    begun: list[asyncio.Future[ToolResult]] = []

    def begins(_route: Any, _context: Context) -> Awaitable[ToolResult]:
        rounds[0].cancel()
        begun.append(asyncio.get_running_loop().create_future())
        return begun[0]

    house = House({"a": begins})

    async def main() -> Runtime[Any, Any, Any]:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            rounds.append(turn.round([call("a")]))
            await rounds[0].run()
        return runtime

    assert run(main())._core.runner.calls == set()
    assert begun[0].cancelled()
    assert house.told() == ["opened", "started", "answered outcome_unknown"]
