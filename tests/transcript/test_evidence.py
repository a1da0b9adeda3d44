"""An open call gets its real result where there is one, and nothing is made up."""

import json
from typing import Any

from toolroute import ToolResult, not_executed, outcome_unknown
from toolroute.transcript import Answers, Known, OpenCall, settle

USER = {"role": "user", "content": "Read."}


def asks(*ids: str) -> dict[str, Any]:
    calls = [
        {"id": i, "type": "function", "function": {"name": "read", "arguments": "{}"}}
        for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def tool(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


UNKNOWN = json.dumps(outcome_unknown("read"))


def test_an_answer_by_id_is_written() -> None:
    evidence = Answers(by_id={"a": ToolResult("31%")})
    settled = settle([USER, asks("a", "b")], "openai_chat", evidence=evidence)
    assert settled.messages[2:] == [tool("a", "31%"), tool("b", UNKNOWN)]


def test_an_answer_by_place_is_written_to_that_place() -> None:
    evidence = Answers(by_place={(1, 1): ToolResult({"soil": 31})})
    settled = settle([USER, asks("a", "a")], "openai_chat", evidence=evidence)
    assert [m["content"] for m in settled.messages[2:]] == [UNKNOWN, '{"soil": 31}']


def test_an_id_that_two_calls_share_does_not_tell_which_is_meant() -> None:
    evidence = Answers(by_id={"a": ToolResult("31%")})
    messages = [USER, asks("a"), USER, asks("a")]
    settled = settle(messages, "openai_chat", evidence=evidence)
    assert "31%" not in json.dumps(settled.messages)


def test_a_call_that_was_seen_not_to_start_was_not_run() -> None:
    evidence = Answers(by_id={"a": "not started"})
    settled = settle([USER, asks("a")], "openai_chat", evidence=evidence)
    assert settled.messages[2] == tool("a", json.dumps(not_executed("read")))


def test_an_answer_of_settling_gives_way_to_the_record() -> None:
    once = settle([USER, asks("a"), USER], "openai_chat").messages
    evidence = Answers(by_id={"a": ToolResult("31%")})
    settled = settle(once, "openai_chat", evidence=evidence)
    assert settled.messages == [USER, asks("a"), tool("a", "31%"), USER]
    again = settle(settled.messages, "openai_chat", evidence=evidence)
    assert again.messages is settled.messages


def test_a_record_of_an_unknown_outcome_changes_nothing() -> None:
    once = settle([USER, asks("a"), USER], "openai_chat").messages
    evidence = Answers(by_id={"a": ToolResult(outcome_unknown("read"), is_error=True)})
    assert settle(once, "openai_chat", evidence=evidence).messages is once


def test_an_answer_of_settling_gives_way_to_a_real_one_that_turns_up_later() -> None:
    once = list(settle([USER, asks("a"), USER], "openai_chat").messages)
    later = [*once, {"role": "assistant", "content": "Hm."}, tool("a", "31%")]
    settled = settle(later, "openai_chat")
    assert settled.messages == [
        USER,
        asks("a"),
        tool("a", "31%"),
        USER,
        {"role": "assistant", "content": "Hm."},
    ]


def test_a_real_result_is_kept_whichever_of_the_two_comes_first() -> None:
    for pair in (
        [tool("a", "31%"), tool("a", UNKNOWN)],
        [tool("a", UNKNOWN), tool("a", "31%")],
    ):
        settled = settle([USER, asks("a"), *pair], "openai_chat")
        assert settled.messages == [USER, asks("a"), tool("a", "31%")]


def test_a_real_result_is_never_asked_about() -> None:
    class Refuses:
        def known(self, call: OpenCall, /) -> Known:
            raise AssertionError(call)

    messages = [USER, asks("a"), tool("a", "31%"), USER]
    settled = settle(messages, "openai_chat", evidence=Refuses())
    assert settled.messages is messages


def test_a_ledger_is_told_all_that_the_transcript_has_of_the_call() -> None:
    asked: list[OpenCall] = []

    class Ledger:
        def known(self, call: OpenCall, /) -> Known:
            asked.append(call)
            return None

    settle([USER, asks("a", "b", "b")], "openai_chat", evidence=Ledger())
    assert asked == [
        OpenCall("a", "read", "{}", 1, 0, unambiguous=True),
        OpenCall("b", "read", "{}", 1, 1, unambiguous=False),
        OpenCall("b", "read", "{}", 1, 2, unambiguous=False),
    ]


def test_an_error_on_record_is_marked_as_one() -> None:
    call = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    messages = [USER, {"role": "assistant", "content": [call]}]
    evidence = Answers(by_id={"a": ToolResult({"error": "offline"}, is_error=True)})
    settled = settle(messages, "anthropic", evidence=evidence)
    assert settled.messages[2]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": '{"error": "offline"}',
            "is_error": True,
        }
    ]
    assert [c.text for c in settled.changes] == [
        "The call read is answered with the result on record."
    ]


def test_gemini_gets_an_object_and_the_ai_sdk_its_own_value() -> None:
    evidence = Answers(by_id={"a": ToolResult([1, 2])})
    call = {"functionCall": {"id": "a", "name": "read", "args": {}}}
    start = {"role": "user", "parts": [{"text": "Read."}]}
    contents = [start, {"role": "model", "parts": [call]}]
    answer = settle(contents, "gemini", evidence=evidence).messages[2]["parts"][0]
    assert answer["functionResponse"]["response"] == {"output": [1, 2]}
    part = {"type": "tool-read", "toolCallId": "a", "state": "input-available"}
    messages = [{"id": "m", "role": "assistant", "parts": [{**part, "input": {}}]}]
    (fixed,) = settle(messages, "ai_sdk_ui", evidence=evidence).messages[0]["parts"]
    assert (fixed["state"], fixed["output"]) == ("output-available", [1, 2])


def test_an_ai_sdk_answer_of_settling_gives_way_to_the_record() -> None:
    part = {"type": "tool-read", "toolCallId": "a", "state": "input-available"}
    messages = [{"id": "m", "role": "assistant", "parts": [{**part, "input": {}}]}]
    once = settle(messages, "ai_sdk_ui").messages
    evidence = Answers(by_id={"a": ToolResult("31%")})
    (fixed,) = settle(once, "ai_sdk_ui", evidence=evidence).messages[0]["parts"]
    assert fixed == {**part, "state": "output-available", "input": {}, "output": "31%"}
