"""Results whose content no provider takes: O7, R9, G6, B5."""

from typing import Any

import pytest

from toolroute.transcript import check, settle

SPOKEN = {"role": "user", "content": "Read."}
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/bed.png"}}
TEXT = {"type": "text", "text": "31%"}


def chat(*contents: Any) -> list[Any]:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "read"}}
        for n in range(len(contents))
    ]
    results = [
        {"role": "tool", "tool_call_id": f"c{n}", "content": content}
        for n, content in enumerate(contents)
    ]
    return [
        SPOKEN,
        {"role": "assistant", "tool_calls": calls, "content": None},
        *results,
    ]


def responses(output: Any) -> list[Any]:
    call = {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"}
    spoken = {"type": "message", **SPOKEN}
    return [spoken, call, {**output, "type": "function_call_output", "call_id": "a"}]


def gemini(response: Any) -> list[Any]:
    return [
        {"role": "user", "parts": [{"text": "Read."}]},
        {"role": "model", "parts": [{"functionCall": {"name": "read", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "read", **response}}]},
    ]


def bedrock(content: Any) -> list[Any]:
    use = {"toolUse": {"toolUseId": "a", "name": "read", "input": {}}}
    return [
        {"role": "user", "content": [{"text": "Read."}]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "a", **content}}]},
    ]


CASES: list[tuple[str, list[Any], list[Any]]] = [
    ("openai_chat", chat(None), chat("")),
    ("openai_responses", responses({}), responses({"output": ""})),
    ("openai_responses", responses({"output": None}), responses({"output": ""})),
    (
        "openai_responses",
        responses({"output": {"soil": 31}}),
        responses({"output": '{"soil": 31}'}),
    ),
    ("gemini", gemini({}), gemini({"response": {}})),
    ("gemini", gemini({"response": None}), gemini({"response": {}})),
    ("gemini", gemini({"response": "31%"}), gemini({"response": {"output": "31%"}})),
    ("gemini", gemini({"response": [31]}), gemini({"response": {"output": [31]}})),
    ("bedrock", bedrock({}), bedrock({"content": []})),
    (
        "bedrock",
        bedrock({"content": [{"json": [31]}, {"json": {"soil": 31}}]}),
        bedrock({"content": [{"json": {"output": [31]}}, {"json": {"soil": 31}}]}),
    ),
    (
        "bedrock",
        bedrock({"content": [{"text": ""}, {"text": "31%"}]}),
        bedrock({"content": [{"text": "31%"}]}),
    ),
]


@pytest.mark.parametrize(("format_", "given", "wanted"), CASES)
def test_it_is_put_in_a_form_that_is_taken(
    format_: str, given: list[Any], wanted: list[Any]
) -> None:
    assert [(v.kind, v.message) for v in check(given, format_)] == [
        ("invalid_result_content", 2)
    ]
    settled = settle(given, format_)
    assert settled.messages == wanted
    assert check(wanted, format_) == []
    last = given[2].get("content", given[2].get("parts"))
    inside = last[0] if isinstance(last, list) else given[2]
    assert [change.removed for change in settled.changes] == [inside]


def test_o7_images_of_tools_go_into_a_users_message_behind_all_the_results() -> None:
    messages = [*chat([TEXT, IMAGE], "30%", [IMAGE]), SPOKEN]
    found = [(v.kind, v.call_id, v.message) for v in check(messages, "openai_chat")]
    assert found == [
        ("invalid_result_content", "c0", 2),
        ("invalid_result_content", "c2", 4),
    ]
    behind = "[what this tool answered stands in the user's message behind it]"
    settled = settle(messages, "openai_chat")
    assert settled.messages == [
        *chat([TEXT], "30%", behind),
        {"role": "user", "content": [IMAGE, IMAGE]},
        SPOKEN,
    ]
    assert settle(settled.messages, "openai_chat").messages is settled.messages
