"""What names a call of OpenAI Responses: its `call_id`, whatever else it carries."""

from typing import Any

from toolroute import ToolResult
from toolroute.transcript import Answers, Violation, check, settle

SPOKEN = {"type": "message", "role": "user", "content": "Read."}
CALL = {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"}
SHELL = {"type": "local_shell_call", "id": "lsh", "call_id": "a", "action": {}}


def output(call_id: str, said: str = "31%") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": said}


def shell_output(item_id: str) -> dict[str, Any]:
    return {"type": "local_shell_call_output", "id": item_id, "output": "31%"}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def test_r3_an_output_that_carries_its_calls_item_id_is_given_its_call_id() -> None:
    messages = [SPOKEN, {**CALL, "id": "fc_1"}, output("fc_1"), SPOKEN]
    assert seen(check(messages, "openai_responses")) == [
        ("unanswered_call", "a", 1),
        ("orphan_result", "fc_1", 2),
    ]
    settled = settle(messages, "openai_responses")
    assert settled.messages == [*messages[:2], output("a"), SPOKEN]


def test_r3_an_output_with_an_item_id_gets_its_calls_type_too() -> None:
    custom = {**output("fc_1"), "type": "custom_tool_call_output"}
    messages = [SPOKEN, {**CALL, "id": "fc_1"}, custom]
    settled = settle(messages, "openai_responses")
    assert settled.messages == [*messages[:2], output("a")]
    assert settled.remaining == ()


def test_r3_an_output_with_an_item_id_is_an_orphan_where_its_call_is_answered() -> None:
    messages = [SPOKEN, {**CALL, "id": "fc_1"}, output("a"), output("fc_1", "old")]
    assert seen(check(messages, "openai_responses")) == [("orphan_result", "fc_1", 3)]


def test_a_local_shells_output_may_carry_either_id() -> None:
    for item_id in ("a", "lsh"):
        messages = [SPOKEN, SHELL, shell_output(item_id), SPOKEN]
        assert check(messages, "openai_responses") == []
        assert settle(messages, "openai_responses").messages is messages


def test_what_only_a_tool_can_answer_says_so_and_takes_its_answer() -> None:
    messages = [SPOKEN, {"type": "computer_call", "call_id": "c", "action": {}}]
    (found,) = check(messages, "openai_responses")
    assert found.remedy == (
        "answered with the result in the evidence; without one it stays open, since "
        "only its tool can answer it"
    )
    picture = {"type": "computer_screenshot", "image_url": "data:image/png;base64,aGk="}
    evidence = Answers(by_id={"c": ToolResult(picture)})
    settled = settle(messages, "openai_responses", evidence=evidence)
    answer = {"type": "computer_call_output", "call_id": "c", "output": picture}
    assert settled.messages == [*messages, answer]
    assert settled.remaining == ()


def test_an_approval_whose_request_is_gone_keeps_what_was_decided() -> None:
    approval = {"type": "mcp_approval_response", "approval_request_id": "m"}
    messages = [SPOKEN, {**approval, "approve": True}]
    settled = settle(messages, "openai_responses")
    assert settled.messages[1]["content"] == [
        {"type": "input_text", "text": "[tool result without its call] approved"}
    ]


def test_r7_what_the_server_ran_after_a_thought_belongs_to_the_batch() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    messages = [SPOKEN, CALL, thought, search, output("a")]
    assert check(messages, "openai_responses") == []
    opened = settle(messages[:4], "openai_responses").messages
    assert list(opened[:4]) == messages[:4]
    assert [item["type"] for item in opened[4:]] == ["function_call_output"]
