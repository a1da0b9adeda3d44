"""What a captured toolset is told can be odd, and harms no tool."""

import asyncio
from typing import Any

import pytest
from made_up_time import run
from runtime_house import settle_down, texts

from toolroute import ToolCall
from toolroute.runtime import AlreadyAnsweredError, Capture


def _first(args: tuple[Any, ...], _named: Any) -> Any:
    return args[0]


def _echo(*_passed: Any, **given: Any) -> Any:
    return given


@pytest.mark.parametrize("reader", ["id_of", "input_of"])
def test_a_tool_runs_also_where_what_it_is_passed_cannot_be_read(
    reader: str, caplog: pytest.LogCaptureFixture
) -> None:
    reads: Any = {reader: _first}
    step = Capture({"a": _echo}, **reads).step()
    assert step.tools["a"](n=1) == {"n": 1}
    assert texts([*step.settle([ToolCall("1", "a", {"n": 1})]).values()]) == [{"n": 1}]
    assert "couldn't be read" in caplog.text


def test_a_tool_that_is_told_an_unreadable_id_runs_not_after_its_answer() -> None:
    step = Capture({"a": _echo}, id_of=_first).step()
    assert texts([*step.settle([ToolCall("1", "a")]).values()]) == ["TOOL_NOT_EXECUTED"]
    with pytest.raises(AlreadyAnsweredError):
        step.tools["a"]()


def test_an_id_that_is_not_text_is_told_as_text() -> None:
    step = Capture({"a": lambda id_: f"{id_} is done"}, id_of=_first).step()
    for id_ in (5, ["6"]):
        step.tools["a"](id_)
    answers = step.settle([ToolCall("['6']", "a"), ToolCall("5", "a")])
    assert texts([*answers.values()]) == ["['6'] is done", "5 is done"]


def test_a_call_without_an_id_is_not_run_after_its_answer_under_a_loops_id() -> None:
    ran: list[Any] = []
    tools = {"a": ran.append, "b": ran.append}
    step = Capture(tools, id_of=_first).step()
    answers = step.settle([ToolCall("", "a"), ToolCall("c2", "b")])
    assert texts([*answers.values()]) == ["TOOL_NOT_EXECUTED"] * 2
    for name, id_ in (("a", "made up"), ("b", "c2")):
        with pytest.raises(AlreadyAnsweredError):
            step.tools[name](id_)
    step.tools["b"]("c3")
    assert ran == ["c3"]


def test_whoever_raises_when_told_of_a_late_result_harms_no_tool(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[Any] = []

    def raises(late: Any) -> None:
        told.append((late.name, late.id, late.answer.content))
        raise ValueError

    async def later(_id: str) -> str:
        await asyncio.sleep(1)
        return "at last"

    async def main() -> list[Any]:
        step = Capture({"a": later}, id_of=_first, on_late=raises).step()
        running = asyncio.ensure_future(step.tools["a"]("1"))
        await settle_down()
        answers = step.settle([ToolCall("1", "a")])
        return [*texts([*answers.values()]), await running]

    assert run(main()) == ["TOOL_OUTCOME_UNKNOWN", "at last"]
    assert told == [("a", "1", "at last")]
    assert "couldn't be told" in caplog.text
