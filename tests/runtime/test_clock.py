import asyncio
from typing import Any

from made_up_time import run
from runtime_house import House, call, text, texts

from toolroute import ToolResult
from toolroute.runtime import Context, Limits


async def _takes(route: Any, _context: Context) -> ToolResult:
    await asyncio.sleep(route.call.input["seconds"])
    return ToolResult("in time")


def test_each_call_has_its_own_time_whenever_it_began() -> None:
    async def main() -> list[Any]:
        host = House({"a": _takes}).runtime(limits=Limits(seconds=10)).host()
        loop = asyncio.get_running_loop()
        ended: list[Any] = []

        async def one(start: float, seconds: float) -> None:
            await asyncio.sleep(start)
            answer = await host.call(call("a", seconds=seconds))
            ended.append((loop.time(), text(answer)))

        starts = [(0, 99), (1, 5), (2, 99), (2, 8), (11, 99), (30, 99)]
        await asyncio.gather(*[one(*start) for start in starts])
        return ended

    unknown = "TOOL_OUTCOME_UNKNOWN"
    assert run(main()) == [
        (6, "in time"),
        (10, unknown),
        (10, "in time"),
        (12, unknown),
        (21, unknown),
        (40, unknown),
    ]


def test_kinds_with_their_own_limits_do_not_wait_for_each_other() -> None:
    async def main() -> list[Any]:
        limits = Limits(seconds=50, by_kind={"over": 5})
        house = House({"a": _takes, "over": _takes})
        async with house.runtime(limits=limits).turn("ada") as turn:
            one = turn.round([call("a", seconds=99), call("over", seconds=99)])
            running = asyncio.ensure_future(one.run())
            await asyncio.sleep(6)
            seen = texts(one.answers)
            return [*seen, *texts(await running), asyncio.get_running_loop().time()]

    unknown = "TOOL_OUTCOME_UNKNOWN"
    assert run(main()) == [None, unknown, unknown, unknown, 50]


def test_a_runtime_keeps_time_on_every_loop_that_it_is_used_on() -> None:
    host = House({"a": _takes}).runtime(limits=Limits(seconds=10)).host()

    async def main() -> list[Any]:
        answer = await host.call(call("a", seconds=99))
        return [text(answer), asyncio.get_running_loop().time()]

    async def short() -> list[Any]:
        answer = await host.call(call("a", seconds=1))
        return [text(answer), asyncio.get_running_loop().time()]

    assert run(short()) == ["in time", 1]
    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", 10]


def test_a_thousand_calls_need_one_timer() -> None:
    async def main() -> int:
        host = House({"a": _takes}).runtime(limits=Limits(seconds=10)).host()
        calls = [host.start(call("a", seconds=99)) for _ in range(1000)]
        loop: Any = asyncio.get_running_loop()
        timers = len(loop._scheduled)
        for one in calls:
            one.cancel()
        await asyncio.sleep(0)
        return timers

    assert run(main()) == 1
