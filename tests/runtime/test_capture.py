"""Answers for the calls of a loop that isn't ours."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from made_up_time import run
from runtime_house import settle_down, text

from toolroute import ToolCall, ToolError, ToolResult
from toolroute.runtime import (
    AlreadyAnsweredError,
    BadArguments,
    Capture,
    Failed,
    Late,
    NotExecuted,
    OutcomeUnknown,
    RawCall,
)
from toolroute.runtime.testing import CallInfo, StandInLoop


def _id(args: tuple[Any, ...], _named: Any) -> str | None:
    return args[0].tool_call_id if args and isinstance(args[0], CallInfo) else None


def _disable(_info: CallInfo | None = None, **given: Any) -> str:
    return f"{given.get('device')} is disabled"


async def _disable_later(_info: CallInfo | None = None, **given: Any) -> str:
    await asyncio.sleep(1)
    return _disable(**given)


def _capture(*, ids: bool = True, **settings: Any) -> Capture:
    tools = {"disable": _disable, "later": _disable_later}
    return Capture(tools, id_of=_id if ids else None, **settings)


def _made(name: str, id_: str = "", **given: Any) -> ToolCall:
    return ToolCall(id_, name, given)


TURIN = [
    _made("disable", "c1", device="d1"),
    _made("later", "c2", device="d2"),
    _made("filter_table", "c3", status="offline"),
]
"""Disable the offline devices in Turin and filter them in the table."""


@pytest.mark.parametrize("ids", [True, False])
def test_what_a_suspending_loop_drops_is_answered_from_the_record(ids: bool) -> None:  # noqa: FBT001
    step = _capture(ids=ids).step()

    async def main() -> Any:
        loop = StandInLoop(step.tools, ["filter_table"], passes_ids=ids)
        left = await loop.step(TURIN)
        assert (left.results, left.pending) == ({}, [TURIN[2]])
        return {place: text(one) for place, one in step.settle(TURIN[:2]).items()}

    assert run(main()) == {0: "d1 is disabled", 1: "d2 is disabled"}


@pytest.mark.parametrize("ids", [True, False])
def test_a_call_that_was_never_entered_was_not_executed(ids: bool) -> None:  # noqa: FBT001
    step = _capture(ids=ids).step()

    async def main() -> Any:
        loop = StandInLoop(step.tools, ["filter_table"], passes_ids=ids, runs=1)
        await loop.step(TURIN)
        return step.settle(TURIN[:2])

    answers = run(main())
    assert answers[1] == NotExecuted("later")
    assert text(answers[0]) == "d1 is disabled"


@pytest.mark.parametrize("ids", [True, False])
def test_an_entry_after_that_answer_raises_without_running(ids: bool) -> None:  # noqa: FBT001
    ran: list[str] = []
    capture = Capture(
        {"disable": lambda *_, **given: ran.append(given["device"])},
        id_of=_id if ids else None,
    )
    step = capture.step()
    assert step.settle([TURIN[0]]) == {0: NotExecuted("disable")}
    with pytest.raises(AlreadyAnsweredError, match="answered as not executed"):
        step.tools["disable"](*([CallInfo("c1")] if ids else []), device="d1")
    assert ran == []


def test_an_async_entry_after_that_answer_raises_without_running() -> None:
    step = _capture().step()
    step.settle([TURIN[1]])

    async def main() -> None:
        with pytest.raises(AlreadyAnsweredError):
            await step.tools["later"](CallInfo("c2"), device="d2")

    run(main())


def test_a_loop_with_ids_may_keep_one_toolset_for_all_its_steps() -> None:
    step = _capture().step()
    step.settle([TURIN[0]])
    assert step.tools["disable"](CallInfo("c9"), device="d1") == "d1 is disabled"
    answers = step.settle([_made("disable", "c9", device="d1")])
    assert text(answers[0]) == "d1 is disabled"


def test_one_that_was_entered_and_gave_nothing_has_an_unknown_outcome() -> None:
    late: list[Late] = []
    step = _capture(on_late=late.append).step()

    async def main() -> Any:
        running = asyncio.ensure_future(
            step.tools["later"](CallInfo("c2"), device="d2")
        )
        await settle_down()
        answers = step.settle(TURIN[:2])
        assert await running == "d2 is disabled"
        return answers

    assert run(main()) == {0: NotExecuted("disable"), 1: OutcomeUnknown("later")}
    ((name, id_, answer),) = [(one.name, one.id, one.answer) for one in late]
    assert (name, id_, text(answer)) == ("later", "c2", "d2 is disabled")


def test_one_that_the_loop_cuts_short_has_an_unknown_outcome() -> None:
    step = _capture().step()

    async def main() -> Any:
        running = asyncio.ensure_future(
            step.tools["later"](CallInfo("c2"), device="d2")
        )
        await settle_down()
        running.cancel()
        await settle_down()
        return step.settle([TURIN[1]])

    assert run(main()) == {0: OutcomeUnknown("later")}


def test_what_a_tool_raises_reaches_the_loop_and_is_recorded() -> None:
    def fails(device: str) -> str:
        raise ValueError(f"{device} is on fire")

    async def refuses(device: str) -> str:
        raise ToolError(f"{device} is yours no more", code="GONE")

    step = Capture({"fails": fails, "refuses": refuses}).step()

    async def main() -> Any:
        with pytest.raises(ValueError, match="on fire"):
            step.tools["fails"](device="d1")
        with pytest.raises(ToolError):
            await step.tools["refuses"](device="d1")
        return step.settle([_made("fails", device="d1"), _made("refuses", device="d1")])

    answers = run(main())
    assert answers[0] == Failed("fails", "d1 is on fire")
    assert answers[1].content["error"] == {
        "code": "GONE",
        "message": "d1 is yours no more",
        "retry": "no",
    }


def test_a_denial_that_is_returned_is_recorded_as_it_was_meant() -> None:
    denied = ToolResult("not allowed", is_error=True)
    step = Capture({"disable": lambda **_: denied}).step()
    assert step.tools["disable"](device="d1") is denied
    (answer,) = step.settle([TURIN[0]]).values()
    assert (answer.kind, answer.is_error, answer.content) == (
        "returned",
        True,
        "not allowed",
    )


def test_where_the_loop_answers_by_itself_nothing_is_done() -> None:
    step = _capture().step()

    async def main() -> Any:
        left = await StandInLoop(step.tools).step(TURIN[:2])
        assert left.results == {0: "d1 is disabled", 1: "d2 is disabled"}
        return step.settle(TURIN[:2], answered=left.results)

    assert run(main()) == {}


def test_what_a_tool_gives_can_be_read_by_the_host() -> None:
    class Device:
        def __init__(self, name: str) -> None:
            self.name = name

    def tools() -> dict[str, Callable[..., Any]]:
        return {"disable": lambda *, device: Device(device)}

    told = Capture(tools(), result_of=lambda one: ToolResult(one.name)).step()
    plain = Capture(tools()).step()
    for step in (told, plain):
        step.tools["disable"](device="d1")
    assert text(told.settle([TURIN[0]])[0]) == "d1"
    answer = plain.settle([TURIN[0]])[0]
    assert isinstance(answer, Failed)
    assert answer.why.startswith("what it gave can't be told: Object of type Device")


def test_arguments_that_were_never_read_are_answered_as_that() -> None:
    step = _capture().step()
    answers = step.settle([RawCall("c1", "disable", "{")])
    assert isinstance(answers[0], BadArguments)


def test_a_tool_that_is_not_in_the_toolset_was_not_executed() -> None:
    assert _capture().step().settle([_made("nosuch", "c1")]) == {
        0: NotExecuted("nosuch")
    }


def test_wrapped_tools_look_like_the_tools() -> None:
    step = _capture().step()
    assert asyncio.iscoroutinefunction(step.tools["later"])
    assert not asyncio.iscoroutinefunction(step.tools["disable"])
    assert step.tools["disable"].__name__ == "_disable"


def test_a_sync_tool_that_gives_something_to_await_is_recorded_when_it_ends() -> None:
    def begins(**given: Any) -> Awaitable[str]:
        return _disable_later(**given)

    step = Capture({"later": begins}).step()

    async def main() -> Any:
        running = asyncio.ensure_future(step.tools["later"](device="d2"))
        await settle_down()
        assert await running == "d2 is disabled"
        return text(step.settle([_made("later", device="d2")])[0])

    assert run(main()) == "d2 is disabled"
