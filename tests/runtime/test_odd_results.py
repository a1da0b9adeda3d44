"""What handlers give that is no result, or an odd one."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, texts

from toolroute import ToolError, ToolResult
from toolroute.runtime import Context


class Slow:
    """Something to await that isn't a coroutine."""

    def __await__(self) -> Generator[Any, None, ToolResult]:
        yield from asyncio.sleep(1).__await__()
        return ToolResult("awaited")


NOT_RESULTS: list[tuple[Any, str]] = [
    (None, "it gave no result"),
    ("text", "what it gave isn't a result"),
    ({"a": 1}, "what it gave isn't a result"),
    (ToolResult, "what it gave isn't a result"),
    (
        ToolResult(object()),
        "its result isn't JSON: Object of type object is not JSON serializable",
    ),
    (
        ToolResult({"n": float("nan")}),
        "its result isn't JSON: Out of range float values are not JSON compliant",
    ),
    (ToolResult({1, 2}), "its result isn't JSON: Object of type set is not JSON"),
    (ToolResult(b"bytes"), "its result isn't JSON: Object of type bytes is not JSON"),
    (ToolResult({(1, 2): 3}), "its result isn't JSON: keys must be str, int, float"),
]


def _circular() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


def _deep() -> list[Any]:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


@pytest.mark.parametrize(("value", "why"), NOT_RESULTS, ids=[w for _, w in NOT_RESULTS])
def test_what_is_not_a_result_is_answered_as_that(value: Any, why: str) -> None:
    async def later(_route: Any, _context: Context) -> Any:
        await asyncio.sleep(1)
        return value

    house = House({"now": lambda _route, _context: value, "later": later})

    async def main() -> list[Any]:
        host = house.runtime().host()
        answers = [await host.call(call("now")), await host.call(call("later"))]
        return [(answer.kind, answer.content["error"]["message"]) for answer in answers]

    for (kind, message), name in zip(run(main()), ("now", "later"), strict=True):
        assert kind == "failed"
        assert message.startswith(f"{name} couldn't answer: {why}")


@pytest.mark.parametrize("make", [_circular, _deep])
def test_a_result_that_never_ends_is_answered_as_that(make: Callable[[], Any]) -> None:
    house = House({"a": lambda _route, _context: ToolResult(make())})

    async def main() -> Any:
        answer = await house.runtime().host().call(call("a"))
        return answer.content["error"]["message"]

    assert run(main()) == (
        "a couldn't answer: its result isn't JSON: it is nested too deeply"
    )


def test_a_coroutine_that_nobody_awaited_is_answered_and_leaves_no_warning() -> None:
    async def rest() -> ToolResult:
        raise AssertionError

    async def forgets(_route: Any, _context: Context) -> Any:
        return rest()

    async def main() -> Any:
        answer = await House({"a": forgets}).runtime().host().call(call("a"))
        return answer.content["error"]["message"]

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert run(main()) == "a couldn't answer: what it gave was never awaited"
        gc.collect()
    assert warned == []


class Evil(dict[str, Any]):
    """JSON's encoder asks it for its items."""

    def items(self) -> Any:
        raise ZeroDivisionError("not these")


def test_a_result_that_raises_when_it_is_read_is_answered_as_that() -> None:
    def raises(_route: Any, _context: Context) -> ToolResult:
        words: Any = Evil(a=1)
        raise ToolError(words)

    house = House({"a": lambda *_: ToolResult(Evil(a=1)), "b": raises})

    async def main() -> list[str]:
        async with house.runtime().turn("ada") as turn:
            answers = await turn.run([call("a"), call("b")])
            return [answer.content["error"]["message"] for answer in answers]

    assert run(main()) == [
        "a couldn't answer: its result isn't JSON: not these",
        "b couldn't answer: its error isn't JSON: not these",
    ]


@pytest.mark.parametrize(
    "content", [None, "", 0, False, [], {}, "\ud800", "\u2028", 2**70, ("a", 1)]
)
def test_any_json_value_is_a_result(content: Any) -> None:
    house = House({"a": lambda _route, _context: ToolResult(content)})

    async def main() -> Any:
        answer = await house.runtime().host().call(call("a"))
        return answer.kind, answer.content

    assert run(main()) == ("returned", content)


def test_anything_that_can_be_awaited_will_do() -> None:
    def future(_route: Any, _context: Context) -> Awaitable[Any]:
        made = asyncio.get_running_loop().create_future()
        made.get_loop().call_later(1, made.set_result, ToolResult("a future"))
        return made

    def task(_route: Any, _context: Context) -> Awaitable[Any]:
        async def slow() -> ToolResult:
            await asyncio.sleep(1)
            return ToolResult("a task")

        return asyncio.ensure_future(slow())

    house = House({"a": future, "b": task, "c": lambda _route, _context: Slow()})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            return texts(await turn.run([call(name) for name in "abc"]))

    assert run(main()) == ["a future", "a task", "awaited"]
