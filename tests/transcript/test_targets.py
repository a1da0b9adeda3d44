"""Ids and names as a provider wants them: one on both sides, and no two alike."""

import re
from typing import Any

import pytest

from toolroute.transcript import FormatUnknown, check, settle

USER = {"role": "user", "content": "Read."}


def turn(call_id: str, name: str = "read", content: str = "31%") -> list[Any]:
    function = {"name": name, "arguments": "{}"}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": content},
    ]


def ids(messages: Any) -> list[str]:
    return [c["id"] for m in messages for c in m.get("tool_calls") or []]


def names(messages: Any) -> list[str]:
    return [c["function"]["name"] for m in messages for c in m.get("tool_calls") or []]


def test_every_pair_keeps_its_own_result() -> None:
    odd = ["functions.a:0", "functions_a_0", "functions/a/0", "functions.a:0"]
    messages = [USER, *(m for n, i in enumerate(odd) for m in turn(i, content=str(n)))]
    settled = settle(messages, "openai_chat", target="anthropic")
    new = ids(settled.messages)
    assert len(set(new)) == 4
    assert all(re.fullmatch("[a-zA-Z0-9_-]+", i) for i in new)
    assert new[1] == "functions_a_0"
    said = {m["tool_call_id"]: m.get("content") for m in settled.messages[2::2]}
    assert [said[i] for i in new] == ["0", "1", "2", "3"]


def test_an_id_gets_the_same_new_id_whatever_comes_behind_it() -> None:
    short = [USER, *turn("functions.a:0")]
    long = [*short, *turn("functions.b:0"), *turn("functions_a_0")]
    first = settle(short, "openai_chat", target="anthropic").messages
    assert list(settle(long, "openai_chat", target="anthropic").messages[:3]) == first


def test_a_new_id_never_meets_one_that_is_there_already() -> None:
    new = ids(settle([USER, *turn("f:0")], "openai_chat", target="anthropic").messages)
    messages = [USER, *turn("f:0", content="first"), *turn(new[0], content="second")]
    settled = settle(messages, "openai_chat", target="anthropic")
    assert len(set(ids(settled.messages))) == 2
    assert ids(settled.messages)[1] == new[0]


def test_mistrals_ids_are_nine_letters_and_digits() -> None:
    messages = [USER, *turn("call_1"), *turn("call_2")]
    settled = settle(messages, "openai_chat", target="mistral")
    assert all(re.fullmatch("[a-zA-Z0-9]{9}", i) for i in ids(settled.messages))
    assert len(set(ids(settled.messages))) == 2


def test_a_target_of_the_same_shape_brings_its_own_rules() -> None:
    messages = [USER, *turn("aB3xK9mP2"), USER]
    kinds = [v.kind for v in check(messages, "openai_chat", target="mistral")]
    assert kinds == ["role_order"]


def test_long_ids_that_begin_alike_stay_apart() -> None:
    messages = [USER, *turn("x" * 70), *turn("x" * 69 + "y")]
    new = ids(settle(messages, "openai_chat").messages)
    assert len(set(new)) == 2
    assert max(map(len, new)) <= 40


def test_names_are_left_alone_when_no_target_is_named() -> None:
    messages = [USER, *turn("a", name="mcp.server/read it")]
    assert check(messages, "openai_chat") == []


def test_names_are_rewritten_for_a_target_and_stay_apart() -> None:
    messages = [USER, *turn("a", "files.read"), *turn("b", "files/read")]
    kinds = [v.kind for v in check(messages, "openai_chat", target="openai_chat")]
    assert kinds == ["invalid_name", "invalid_name"]
    settled = settle(messages, "openai_chat", target="openai_chat")
    new = names(settled.messages)
    assert len(set(new)) == 2
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in new)
    assert check(settled.messages, "openai_chat", target="openai_chat") == []


def test_a_result_carries_its_calls_new_name() -> None:
    parts: list[Any] = [
        {"role": "user", "parts": [{"text": "Read."}]},
        {"role": "model", "parts": [{"functionCall": {"name": "1/read", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "1/read"}}]},
    ]
    parts[2]["parts"][0]["functionResponse"]["response"] = {"output": 1}
    settled = settle(parts, "gemini", target="gemini")
    call = settled.messages[1]["parts"][0]["functionCall"]["name"]
    assert call == settled.messages[2]["parts"][0]["functionResponse"]["name"]
    assert re.fullmatch("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}", call)


def test_bedrock_has_two_sets_of_letters() -> None:
    use = {"toolUse": {"toolUseId": "a.b:c", "name": "read", "input": {}}}
    result = {"toolResult": {"toolUseId": "a.b:c", "content": [{"text": "31%"}]}}
    messages = [
        {"role": "user", "content": [{"text": "Read."}]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    assert [v.kind for v in check(messages, "bedrock")] == ["invalid_call_id"]
    assert check(messages, "bedrock", target="bedrock:2026") == []


def test_a_framework_takes_a_providers_rules() -> None:
    call = {"name": "read", "args": {}, "id": "f.r:0", "type": "tool_call"}
    messages = [
        {"type": "human", "content": "Read."},
        {"type": "ai", "content": "", "tool_calls": [call]},
        {"type": "tool", "content": "31%", "tool_call_id": "f.r:0"},
    ]
    assert check(messages, "langchain") == []
    kinds = [v.kind for v in check(messages, "langchain", target="bedrock")]
    assert kinds == ["invalid_call_id"]


@pytest.mark.parametrize("target", ["", "claude", "mistral:v99", "openai_chat:"])
def test_an_unknown_target_is_a_sentence_that_lists_the_known(target: str) -> None:
    with pytest.raises(FormatUnknown) as told:
        check([USER], "openai_chat", target=target)
    assert "The targets are anthropic, bedrock" in str(told.value)


def test_an_unknown_format_is_a_sentence_that_lists_the_known() -> None:
    with pytest.raises(FormatUnknown) as told:
        check([USER], "claude")
    assert "The formats are ai_sdk_ui, anthropic, bedrock" in str(told.value)
