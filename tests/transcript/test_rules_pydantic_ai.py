"""pydantic-ai: returns, retries and requests, as its own repair sees them."""

import json
from typing import Any

import pytest

from toolroute import ToolResult, not_executed
from toolroute.transcript import Answers, Violation, check, settle

NOT_RUN = json.dumps(not_executed("read"))
PROMPT = {"part_kind": "user-prompt", "content": "And?"}
DELTA = {"part_kind": "tool-availability-delta", "tools_added": ["open_valve"]}
TEXT = {"kind": "response", "parts": [{"part_kind": "text", "content": "Well."}]}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def asks(*ids: str) -> dict[str, Any]:
    call = {"part_kind": "tool-call", "tool_name": "read", "args": {}}
    return {"kind": "response", "parts": [{**call, "tool_call_id": i} for i in ids]}


def returned(call_id: str, content: str = "31%", **more: Any) -> dict[str, Any]:
    part = {"part_kind": "tool-return", "tool_name": "read", "content": content}
    return {**part, "tool_call_id": call_id, **more}


def request(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "request", "parts": [*parts], **more}


def test_pydantic_ai_calls_cut_off_in_the_middle_were_not_run() -> None:
    cut = {"part_kind": "tool-call", "tool_name": "read", "args": '{"bed": '}
    messages = [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Hi"}]},
        {"kind": "response", "parts": [{**cut, "tool_call_id": "a"}]},
    ]
    assert settle(messages, "pydantic_ai").messages[2]["parts"][0]["content"] == NOT_RUN


def test_pydantic_ai_retries_are_results_when_they_name_a_tool() -> None:
    called = {"part_kind": "tool-call", "tool_name": "read", "tool_call_id": "a"}
    retry = {"part_kind": "retry-prompt", "content": "Again.", "tool_call_id": "a"}
    history = [
        {"kind": "response", "parts": [called]},
        {"kind": "request", "parts": [{**retry, "tool_name": "read"}]},
    ]
    assert check(history, "pydantic_ai") == []
    history[1] = {"kind": "request", "parts": [retry]}
    assert seen(check(history, "pydantic_ai")) == [("unanswered_call", "a", 0)]


def test_a_change_of_the_tools_stands_between_returns_and_stays_there() -> None:
    """As pydantic-ai stores the return of a tool that reveals others."""
    told = request(returned("a"), DELTA, returned("b"), PROMPT)
    history = [asks("a", "b"), told]
    assert check(history, "pydantic_ai") == []
    settled = settle([*history, asks("c")], "pydantic_ai")
    assert settled.messages[1] is told


def test_a_prompt_between_returns_is_moved_behind_them() -> None:
    history = [asks("a", "b"), request(returned("a"), PROMPT, returned("b"))]
    assert seen(check(history, "pydantic_ai")) == [("misplaced_result", "b", 1)]
    told = request(returned("a"), returned("b"), PROMPT)
    assert settle(history, "pydantic_ai").messages == [history[0], told]


SYNTHESIZED = returned(
    "a",
    "Tool execution interrupted.",
    outcome="interrupted",
    metadata={"pydantic_ai_synthesized_tool_return": True},
)


def test_a_return_that_its_repair_made_gives_way_to_a_real_one() -> None:
    history = [asks("a"), request(SYNTHESIZED, PROMPT), TEXT, request(returned("a"))]
    assert seen(check(history, "pydantic_ai")) == [("duplicate_result", "a", 3)]
    settled = settle(history, "pydantic_ai").messages
    assert settled == [history[0], request(returned("a"), PROMPT), TEXT]


def test_a_return_that_its_repair_made_gives_way_to_the_record() -> None:
    history = [asks("a"), request(SYNTHESIZED, PROMPT)]
    assert check(history, "pydantic_ai") == []
    evidence = Answers({"a": ToolResult("31%")})
    (_, told) = settle(history, "pydantic_ai", evidence=evidence).messages
    assert told["parts"] == [returned("a", outcome="success"), PROMPT]


def test_returns_in_two_requests_become_one_request() -> None:
    history = [asks("a", "b"), request(returned("a")), request(returned("b"), PROMPT)]
    assert seen(check(history, "pydantic_ai")) == [("misplaced_result", "b", 2)]
    settled = settle(history, "pydantic_ai")
    told = request(returned("a"), returned("b"), PROMPT)
    assert settled.messages == [history[0], told]
    assert [change.did for change in settled.changes] == ["moved", "merged"]


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [("Be kind.", "Be kind.", 2), (None, "Be kind.", 2), ("Be kind.", "Be short.", 3)],
)
def test_requests_with_other_instructions_stay_two(
    first: str | None, second: str, count: int
) -> None:
    answered = request(returned("a"), instructions=first)
    history = [asks("a", "b"), answered, request(PROMPT, instructions=second)]
    settled = settle(history, "pydantic_ai").messages
    assert len(settled) == count
    assert settled[-1]["instructions"] == second


def test_requests_that_follow_each_other_stay_where_nothing_is_wrong() -> None:
    history = [asks("a"), request(returned("a")), request(PROMPT)]
    assert settle(history, "pydantic_ai").messages is history
