"""A conversation that grows costs what its turn holds; nothing costs the square."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from toolroute import ToolResult
from toolroute.transcript import (
    Answers,
    Growing,
    NotATranscript,
    Settled,
    check,
    settle,
)

USER = {"role": "user", "content": "Read."}


def asks(*ids: str) -> dict[str, Any]:
    calls = [
        {"id": i, "type": "function", "function": {"name": "read", "arguments": "{}"}}
        for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def tool(call_id: str, content: str = "31%") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def turn(number: int) -> list[Any]:
    return [USER, asks(f"c{number}"), tool(f"c{number}"), {**USER, "role": "assistant"}]


def test_it_settles_to_what_settling_all_at_once_gives() -> None:
    messages = [*turn(0), USER, asks("c1"), USER, asks("c2", "c3"), tool("c3"), USER]
    talk = Growing("openai_chat")
    for message in messages:
        talk.add(message)
        if message is USER:
            talk.settle()
    assert talk.settle().messages == settle(messages, "openai_chat").messages


def test_the_list_is_its_own_and_the_input_is_left_alone() -> None:
    messages = turn(0)
    talk = Growing("openai_chat", messages)
    first = talk.settle().messages
    talk.add(*turn(1))
    assert talk.settle().messages is first
    assert messages == turn(0)


def test_a_late_result_takes_the_place_of_what_was_said_turns_ago() -> None:
    talk = Growing("openai_chat", [USER, asks("late"), USER])
    talk.settle()
    for number in range(5):
        talk.add(*turn(number))
        talk.settle()
    talk.add(tool("late", "at last"), USER)
    settled = talk.settle()
    assert settled.messages[2] == tool("late", "at last")
    assert check(settled.messages, "openai_chat") == []


def test_an_id_of_a_turn_long_ago_is_not_given_again() -> None:
    def use(number: int) -> list[Any]:
        call = {"type": "tool_use", "id": "call_0", "name": "read", "input": {}}
        answer = {
            "type": "tool_result",
            "tool_use_id": "call_0",
            "content": str(number),
        }
        return [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [answer]},
        ]

    talk = Growing("anthropic", [USER])
    for number in range(6):
        talk.add(*use(number))
        talk.settle()
    settled = talk.settle().messages
    ids = [m["content"][0].get("id") for m in settled[1::2]]
    assert ids == ["call_0", *(f"call_0_{n}" for n in range(2, 7))]
    assert [m["content"][0]["content"] for m in settled[2::2]] == list("012345")


def test_while_a_call_runs_nothing_is_settled_for_good() -> None:
    talk = Growing("openai_chat", [USER, asks("a", "b"), tool("a")])
    waiting = talk.settle(open_calls=["b"])
    assert waiting.changes == ()
    talk.add(tool("b", "30%"))
    assert talk.settle().messages == [USER, asks("a", "b"), tool("a"), tool("b", "30%")]


def test_what_is_no_message_is_not_kept() -> None:
    talk = Growing("openai_chat", [USER])
    talk.settle()
    talk.add(asks("a"), {"role": "robot"})
    with pytest.raises(NotATranscript, match="message 1 of this openai_chat"):
        talk.settle()
    assert talk.settle().messages == [USER]
    talk.add(asks("a"), tool("a"))
    assert talk.settle().messages == [USER, asks("a"), tool("a")]


def test_evidence_answers_the_open_calls_of_a_turn() -> None:
    talk = Growing("openai_chat", evidence=Answers(by_id={"a": ToolResult("31%")}))
    talk.add(USER, asks("a"))
    assert talk.settle().messages == [USER, asks("a"), tool("a")]


def test_changes_say_their_place_in_the_whole_conversation() -> None:
    talk = Growing("openai_chat")
    for number in range(3):
        talk.add(*turn(number))
        talk.settle()
    talk.add(USER, asks("open"))
    assert [(c.did, c.message) for c in talk.settle().changes] == [("answered", 13)]


def test_words_behind_a_deferred_server_call_are_handed_back_turns_later() -> None:
    server = {"type": "server_tool_use", "id": "srv", "name": "search", "input": {}}
    use = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "a", "content": "31%"}
    talk = Growing("anthropic", [USER, {"role": "assistant", "content": [server, use]}])
    talk.add({"role": "user", "content": [answer]})
    assert talk.settle().changes == ()
    talk.add(USER)
    settled = talk.settle()
    assert settled.send_later == (USER,)
    assert len(settled.messages) == 3


def steps_of(work: Callable[[], Settled]) -> int:
    """How many lines of Python ran: a cost that no busy machine changes."""
    count = 0

    def trace(_frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("length", [10, 10_000])
def test_a_turn_costs_the_same_whatever_came_before(length: int) -> None:
    talk = Growing("openai_chat", [m for n in range(length) for m in turn(n)])
    talk.settle()
    talk.add(*turn(length))
    assert steps_of(talk.settle) < 300


@pytest.mark.parametrize("length", [10, 10_000])
def test_an_interrupted_turn_costs_the_same_too(length: int) -> None:
    talk = Growing("openai_chat", [m for n in range(length) for m in turn(n)])
    talk.settle()
    talk.add(USER, asks("open"), USER)
    assert steps_of(talk.settle) < 4_000


def ui(part: dict[str, Any]) -> list[Any]:
    return [
        {"role": "user", "parts": [{"type": "text", "text": "Read."}]},
        {"role": "assistant", "parts": [part]},
    ]


def ui_open(number: int) -> list[Any]:
    part = {"type": "tool-read", "toolCallId": f"c{number}", "input": {}}
    return ui({**part, "state": "input-available"})


def ui_of_version_4(number: int) -> list[Any]:
    call = {"toolName": "read", "toolCallId": f"c{number}", "args": {}}
    done = {**call, "state": "result", "result": "31%"}
    return ui({"type": "tool-invocation", "toolInvocation": done})


def stored(number: int) -> list[Any]:
    words = [("human", "Read."), ("ai", f"{number}%")]
    return [{"type": kind, "data": {"content": text}} for kind, text in words]


def retried(number: int) -> list[Any]:
    call = {"part_kind": "tool-call", "tool_name": "f", "tool_call_id": f"c{number}"}
    retry = {**call, "part_kind": "retry-prompt", "content": "Again."}
    return [
        {"kind": "response", "parts": [call]},
        {"kind": "request", "parts": [retry]},
    ]


@pytest.mark.parametrize(
    ("format_", "told"),
    [
        ("ai_sdk_ui", ui_open),
        ("ai_sdk_ui", ui_of_version_4),
        ("langchain", stored),
        ("pydantic_ai", retried),
    ],
)
def test_turns_that_are_read_whole_cost_the_same_too(
    format_: str, told: Callable[[int], list[Any]]
) -> None:
    talk = Growing(format_)
    costs: list[int] = []
    for number in range(40):
        talk.add(*told(number))
        costs.append(steps_of(talk.settle))
    assert costs[-1] == costs[20]


def adjacent(size: int) -> list[Any]:
    return [asks("x") for _ in range(size)] + [tool("x") for _ in range(size)]


def one_batch(size: int) -> list[Any]:
    return [asks(*["x"] * size), USER, *[tool("x") for _ in range(size)]]


def orphans(size: int) -> list[Any]:
    return [*turn(0), *[tool("c0") for _ in range(size)], USER]


def backwards(size: int) -> list[Any]:
    ids = [f"c{n}" for n in range(size)]
    return [*[tool(i) for i in ids], USER, *[asks(i) for i in ids]]


def one_role(size: int) -> list[Any]:
    return [{"role": "user", "content": [{"text": "Hi."}]} for _ in range(size)]


def outputs(size: int) -> list[Any]:
    kind = "function_call_output"
    reasoning = [{"type": "reasoning", "id": f"r{n}"} for n in range(size)]
    return reasoning + [
        {"type": kind, "call_id": f"c{n}", "output": "x"} for n in range(size)
    ]


def contents(size: int) -> list[Any]:
    call = {"functionCall": {"name": "f", "args": {}}}
    answer = {"functionResponse": {"name": "f", "response": {}}}
    words = [{"role": "model", "parts": [{"text": "Hm."}]} for _ in range(size)]
    calls = {"role": "model", "parts": [call] * size}
    return [*words, calls, *[{"role": "user", "parts": [answer]} for _ in range(size)]]


@pytest.mark.parametrize(
    ("format_", "shape"),
    [
        ("openai_chat", adjacent),
        ("openai_chat", one_batch),
        ("openai_chat", orphans),
        ("openai_chat", backwards),
        ("bedrock", one_role),
        ("openai_responses", outputs),
        ("gemini", contents),
    ],
)
def test_ten_times_the_damage_takes_ten_times_the_steps(
    format_: str, shape: Callable[[int], list[Any]]
) -> None:
    small, large = (
        steps_of(lambda size=size: settle(shape(size), format_))  # type: ignore[misc]
        for size in (40, 400)
    )
    assert large < 12 * small
