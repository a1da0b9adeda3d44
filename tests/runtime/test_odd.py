"""What handlers shouldn't do: each has its answer, and reaches nobody else."""

import asyncio
import gc
import threading
import warnings
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from runtime_house import House, call, run, settle_down, text, texts, well

from toolroute import ToolError, ToolResult
from toolroute.runtime import Context, Limits


class Mute(Exception):  # noqa: N818 -- it says nothing, not even that it's an error
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Slow:
    """Something to await that isn't a coroutine."""

    def __await__(self) -> Iterator[Any]:
        yield from asyncio.sleep(1).__await__()
        return ToolResult("awaited")


RAISED: list[tuple[BaseException, str]] = [
    (ValueError("no luck"), "no luck"),
    (ValueError(), "it gave no reason"),
    (ValueError("  \n "), "it gave no reason"),
    (KeyError("x"), "'x'"),
    (Mute(), "it gave no reason"),
    (SystemExit(3), "3"),
    (GeneratorExit(), "it gave no reason"),
    (StopIteration(7), "7"),
    (asyncio.CancelledError(), "it was cancelled"),
    (asyncio.CancelledError("stop"), "it was cancelled"),
    (TimeoutError("10 s"), "10 s"),
    (RecursionError("too deep"), "too deep"),
    (MemoryError(), "it gave no reason"),
    (ExceptionGroup("two", [ValueError("a"), KeyError("b")]), "a; 'b'"),
    (
        BaseExceptionGroup(
            "", [SystemExit(1), *(ValueError(str(n)) for n in range(9))]
        ),
        "1; 0; 1 …",
    ),
    (ValueError("one\ntwo\u202e\ud800"), "one\\ntwo\\u202e\\ud800"),
    (ValueError("x" * 5000), "x" * 200 + "…"),
    (ToolError("mine", code="X" * 3, retry="no"), ""),
]


def _both(error: BaseException) -> dict[str, Callable[[Any, Context], Any]]:
    """Handlers that raise it: a sync one, an async one at once, and one later."""

    def sync(_route: Any, _context: Context) -> ToolResult:
        raise error

    async def at_once(_route: Any, _context: Context) -> ToolResult:
        raise error

    async def later(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(1)
        raise error

    return {"sync": sync, "at_once": at_once, "later": later}


@pytest.mark.parametrize(("error", "why"), RAISED, ids=lambda one: type(one).__name__)
def test_whatever_a_handler_raises_is_its_calls_answer(
    error: BaseException, why: str
) -> None:
    handlers = _both(error)
    names = [name for name in handlers if not _unraisable(error, name)]
    house = House({**handlers, "well": well})

    async def main() -> list[Any]:
        runtime = house.runtime(limits=Limits(in_thread=frozenset()))
        async with runtime.turn("ada") as turn:
            answers = [*await turn.run([call(name) for name in [*names, "well"]])]
        answers += [await runtime.host().call(call(name)) for name in names]
        assert text(answers.pop(len(names))) == "well is done"
        assert {answer.kind for answer in answers} == {
            "returned" if not why else "failed"
        }
        return [answer.content["error"] for answer in answers]

    words = run(main())
    if why:
        expected = [
            ("TOOL_FAILED", f"{name} couldn't answer: {why}", "check-first")
            for name in names
        ]
    else:
        expected = [("XXX", "mine", "no")] * len(names)
    seen = [(word["code"], word["message"], word["retry"]) for word in words]
    assert seen == expected * 2


def _unraisable(error: BaseException, name: str) -> bool:
    """A coroutine can't raise it as it is."""
    return isinstance(error, StopIteration) and name != "sync"


@pytest.mark.parametrize("error", [error for error, _ in RAISED], ids=repr)
def test_in_a_thread_too(error: BaseException) -> None:
    house = House({"a": _both(error)["sync"], "well": well})

    async def main() -> list[Any]:
        runtime = house.runtime(
            limits=Limits(seconds=None, in_thread=frozenset({"work"}))
        )
        async with runtime.turn("ada") as turn:
            return texts(await turn.run([call("a"), call("well")]))

    code = "XXX" if isinstance(error, ToolError) else "TOOL_FAILED"
    assert run(main()) == [code, "well is done"]


@pytest.mark.parametrize("name", ["sync", "at_once", "later"])
def test_a_keyboard_interrupt_is_answered_and_passed_on(name: str) -> None:
    house = House(_both(KeyboardInterrupt()))
    kept: list[Any] = []

    async def main() -> None:
        kept.append(house.runtime().host().start(call(name)))
        await asyncio.sleep(9)

    with pytest.raises(KeyboardInterrupt), asyncio.Runner() as runner:
        runner.run(main())
    assert house.told() == ["opened", "started", "answered failed"]
    assert house.events[-1].answer is not None
    assert house.events[-1].answer.content["error"]["message"] == (
        f"{name} couldn't answer: it gave no reason"
    )


def test_the_siblings_of_a_keyboard_interrupt_are_answered() -> None:
    house = House({**_both(KeyboardInterrupt()), "well": well})

    async def main() -> None:
        async with house.runtime(limits=Limits(at_once=2)).turn("ada") as turn:
            await turn.run([call("well"), call("sync"), call("well"), call("page")])

    with pytest.raises(KeyboardInterrupt), asyncio.Runner() as runner:
        runner.run(main())
    assert sorted(one for one in house.told() if one.startswith("answered")) == [
        "answered failed",
        "answered not_executed",
        "answered outcome_unknown",
        "answered returned",
    ]


def test_a_keyboard_interrupt_in_a_thread_is_an_answer_and_no_more() -> None:
    house = House({"a": _both(KeyboardInterrupt())["sync"]})

    async def main() -> list[Any]:
        limits = Limits(seconds=None, in_thread=frozenset({"work"}))
        return texts([await house.runtime(limits=limits).host().call(call("a"))])

    assert run(main()) == ["TOOL_FAILED"]


def test_a_guard_that_is_interrupted_leaves_no_call_without_an_answer() -> None:
    house = House({"a": well})

    def interrupted(*_given: Any) -> Any:
        raise KeyboardInterrupt

    house.decide = interrupted  # type: ignore[method-assign]

    async def main() -> None:
        runtime = house.runtime()
        async with runtime.turn("ada") as turn:
            with pytest.raises(KeyboardInterrupt):
                await runtime.host().call(call("a"))
            with pytest.raises(KeyboardInterrupt):
                turn.round([call("a"), call("b")])
        assert turn.live is False

    run(main())
    assert sorted(house.told()) == ["answered not_executed"] * 3 + ["opened"] * 3


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


def test_a_handler_whose_own_await_is_cancelled_has_failed() -> None:
    async def joins(_route: Any, _context: Context) -> ToolResult:
        other = asyncio.ensure_future(asyncio.sleep(9))
        asyncio.get_running_loop().call_soon(other.cancel)
        await other
        raise AssertionError

    async def main() -> Any:
        answer = await House({"a": joins}).runtime().host().call(call("a"))
        return answer.content["error"]["message"]

    assert run(main()) == "a couldn't answer: it was cancelled"


def test_a_task_that_something_else_cancels_has_an_unknown_outcome() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(9)
        raise AssertionError

    house = House({"a": hangs})

    async def main() -> list[Any]:
        mine = asyncio.all_tasks()
        under_way = house.runtime().host().start(call("a"))
        for wait in (False, True):
            if wait:
                await settle_down()
            for task in asyncio.all_tasks() - mine:
                task.cancel()
        answer = await under_way
        return [text(answer), house.events[-1].cause]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "interrupted"]


def test_a_handler_cancelled_before_its_first_step_leaves_no_warning() -> None:
    async def never(_route: Any, _context: Context) -> ToolResult:
        raise AssertionError

    async def main() -> Any:
        under_way = House({"a": never}).runtime().host().start(call("a"))
        under_way.cancel()
        return text(await under_way)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert run(main()) == "TOOL_OUTCOME_UNKNOWN"
        gc.collect()
    assert warned == []


def test_a_loop_that_is_torn_down_leaves_no_call_without_an_answer() -> None:
    async def hangs(_route: Any, _context: Context) -> ToolResult:
        await asyncio.sleep(9)
        raise AssertionError

    house = House({"a": hangs, "b": hangs})

    async def main() -> None:
        house.runtime().host().start(call("a"))
        await settle_down()
        house.runtime().host().start(call("b"))

    asyncio.run(main())
    assert [house.told("a")[-1], house.told("b")[-1]] == [
        "answered outcome_unknown"
    ] * 2


def test_a_handler_in_a_thread_runs_there_and_sees_the_context_variables() -> None:
    import contextvars  # noqa: PLC0415

    who = contextvars.ContextVar("who", default="nobody")
    here = threading.get_ident()

    def where(_route: Any, _context: Context) -> ToolResult:
        return ToolResult([threading.get_ident() == here, who.get()])

    async def main() -> Any:
        who.set("ada")
        limits = Limits(seconds=None, in_thread=frozenset({"work"}))
        return text(
            await House({"a": where}).runtime(limits=limits).host().call(call("a"))
        )

    assert run(main()) == [False, "ada"]


def test_a_handler_in_a_thread_that_never_ends_is_answered_and_asked_to_stop() -> None:
    release = threading.Event()
    asked: list[bool] = []
    ended = threading.Event()

    def hangs(_route: Any, context: Context) -> ToolResult:
        release.wait()
        asked.append(context.cancelled)
        ended.set()
        return ToolResult("at last")

    house = House({"a": hangs})

    async def main() -> list[Any]:
        limits = Limits(seconds=5, in_thread=frozenset({"work"}))
        async with house.runtime(limits=limits) as runtime:
            answer = await runtime.host().call(call("a"))
            time = asyncio.get_running_loop().time()
            release.set()
            ended.wait(10)
            while len(house.events) < 4:  # noqa: ASYNC110 -- the thread posts it
                await asyncio.sleep(0)
            return [text(answer), time]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", 5]
    assert asked == [True]
    assert house.told()[2:] == ["answered outcome_unknown", "late returned"]


def test_a_thread_that_outlives_the_loop_reaches_nobody() -> None:
    release = threading.Event()
    ended: list[threading.Thread] = []

    def hangs(_route: Any, _context: Context) -> ToolResult:
        ended.append(threading.current_thread())
        release.wait()
        return ToolResult("at last")

    house = House({"a": hangs})

    async def main() -> None:
        limits = Limits(in_thread=frozenset({"work"}))
        async with house.runtime(limits=limits) as runtime:
            runtime.host().start(call("a"))

    run(main())
    release.set()
    ended[0].join(10)
    assert house.told() == ["opened", "started", "answered outcome_unknown"]


def test_an_async_handler_that_is_begun_in_a_thread_runs_on_the_loop() -> None:
    begun: list[int] = []

    def begins(_route: Any, _context: Context) -> Awaitable[ToolResult]:
        begun.append(threading.get_ident())

        async def ends() -> ToolResult:
            begun.append(threading.get_ident())
            return ToolResult("")

        return ends()

    async def main() -> Any:
        limits = Limits(seconds=None, in_thread=frozenset({"work"}))
        return text(
            await House({"a": begins}).runtime(limits=limits).host().call(call("a"))
        )

    assert run(main()) == ""
    assert begun[0] != begun[1] == threading.get_ident()


def test_a_thread_that_cannot_be_started_is_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", full)
    limits = Limits(in_thread=frozenset({"work"}))

    async def main() -> Any:
        runtime = House({"a": well}).runtime(limits=limits)
        answer = await runtime.host().call(call("a"))
        return answer.content["error"]["message"]

    assert run(main()) == "a couldn't answer: can't start new thread"


def test_a_handler_that_answers_its_own_call_by_cancelling_it_is_late() -> None:
    rounds: list[Any] = []

    def sync(_route: Any, _context: Context) -> ToolResult:
        rounds[0].cancel()
        return ToolResult("and yet")

    async def later(_route: Any, _context: Context) -> ToolResult:
        raise AssertionError

    house = House({"a": sync, "b": later})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            rounds.append(turn.round([call("a"), call("b")]))
            return texts(await rounds[0].run())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "TOOL_OUTCOME_UNKNOWN"]
    assert house.ran == ["a"]
    assert house.told("a")[-1] == "late returned"


def test_a_handler_that_begins_after_its_call_is_cancelled_is_not_run() -> None:
    rounds: list[Any] = []
    ran: list[str] = []

    async def rest() -> ToolResult:
        ran.append("the rest")
        return ToolResult("")

    def begins(_route: Any, _context: Context) -> Awaitable[ToolResult]:
        rounds[0].cancel()
        return rest()

    house = House({"a": begins})

    async def main() -> list[Any]:
        async with house.runtime().turn("ada") as turn:
            rounds.append(turn.round([call("a")]))
            return texts(await rounds[0].run())

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN"]
    assert (ran, house.told()) == (
        [],
        ["opened", "started", "answered outcome_unknown"],
    )
