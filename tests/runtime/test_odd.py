"""What handlers shouldn't do: each has its answer, and reaches nobody else."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, text, well

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
