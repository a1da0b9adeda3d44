"""Handlers in threads."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, text, texts, well

from toolroute import ToolError, ToolResult
from toolroute.runtime import Context, Limits


class Mute(Exception):  # noqa: N818 -- it says nothing, not even that it's an error
    def __str__(self) -> str:
        raise RuntimeError("no words")


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


def test_a_keyboard_interrupt_in_a_thread_is_an_answer_and_no_more() -> None:
    house = House({"a": _both(KeyboardInterrupt())["sync"]})

    async def main() -> list[Any]:
        limits = Limits(seconds=None, in_thread=frozenset({"work"}))
        return texts([await house.runtime(limits=limits).host().call(call("a"))])

    assert run(main()) == ["TOOL_FAILED"]


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
