"""A rule that finds nothing would let everything pass: each is shown a breach."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from .forms import FORMS
from .seen import Message
from .talk import Answers, Ask, Call, Reply, Talk

Breach = Callable[[list[Message]], Any]

CALLS = (Call(3, "read_gauge"), Call(4, "open_valve"))
REPLY = Reply(2, thinks=True, says=True, calls=CALLS)
TALK = Talk(
    (
        Ask((1,)),
        REPLY,
        Answers(REPLY, None, backwards=False),
        Reply(5, thinks=True, says=True),
        Ask((6,)),
    ),
    ids=True,
)
SERVER = Reply(2, thinks=False, says=True, calls=(*CALLS, Call(7, "x", "deferred")))
SEARCH = Talk((Ask((1,)), SERVER, Answers(SERVER, None, backwards=False)), ids=True)


def put(value: Any, *path: Any) -> Breach:
    """Puts the value at the path, from the messages on."""

    def breach(messages: list[Message]) -> None:
        target: Any = messages
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value

    return breach


def insert(at: int, message: Any, *path: Any) -> Breach:
    """Puts one more into the messages, or into the list at the path."""

    def breach(messages: list[Message]) -> None:
        target: Any = messages
        for step in path:
            target = target[step]
        target.insert(at, message)

    return breach


def drop(at: int, *path: Any) -> Breach:
    def breach(messages: list[Message]) -> None:
        target: Any = messages
        for step in path:
            target = target[step]
        del target[at]

    return breach


def double(at: int, *path: Any) -> Breach:
    def breach(messages: list[Message]) -> None:
        target: Any = messages
        for step in path:
            target = target[step]
        target.insert(at, copy.deepcopy(target[at]))

    return breach


TEXT = {"type": "text", "text": "hm"}
USER = {"role": "user", "content": "hm"}
ITEM = {"role": "user", "type": "message", "content": []}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_3", "content": ""}

BREACHES: list[tuple[str, str, Breach]] = [
    ("anthropic", "A1: 1 isn't answered", drop(0, 2, "content")),
    ("anthropic", "A1: 1 isn't answered", insert(2, USER)),
    ("anthropic", "A1: 1 is an assistant's", insert(0, RESULT, 1, "content")),
    ("anthropic", "A2", insert(0, TEXT, 2, "content")),
    ("anthropic", "A4: 1 answers nobody", drop(1)),
    ("anthropic", "A4: 2 answers nobody", drop(2, 1, "content")),
    ("anthropic", "A5", double(0, 2, "content")),
    ("anthropic", "A6", put("toolu_4", 1, "content", 2, "id")),
    ("anthropic", "A7", put("a.b", 1, "content", 2, "id")),
    ("anthropic", "A9: 2 is empty", put([], 2, "content")),
    ("anthropic", "A9: 1 has an empty text", put("", 1, "content", 1, "text")),
    ("openai_chat", "O1", drop(3)),
    ("openai_chat", "O1", insert(3, USER)),
    ("openai_chat", "O3", drop(2)),
    ("openai_chat", "O4: two answers", double(3)),
    ("openai_chat", "O4: 2 calls twice", put("call_4", 2, "tool_calls", 0, "id")),
    ("openai_chat", "O5", put("", 2, "tool_calls", 0, "id")),
    ("openai_chat", "O5", put("x" * 41, 2, "tool_calls", 0, "id")),
    ("openai_chat", "O7", put(None, 3, "content")),
    ("openai_responses", "R1", drop(5)),
    ("openai_responses", "R2", drop(4)),
    ("openai_responses", "R2", put("custom_tool_call", 3, "type")),
    ("openai_responses", "R5: two outputs", double(5)),
    ("openai_responses", "R5: two calls", put("call_4", 3, "call_id")),
    ("openai_responses", "R6", put("x" * 65, 3, "call_id")),
    ("openai_responses", "R7", insert(5, ITEM)),
    ("openai_responses", "R8", drop("call_id", 5)),
    ("openai_responses", "R3, R5", put("fc_3", 5, "id")),
    ("openai_responses", "R4: 1 is reasoning without what", insert(2, ITEM)),
    ("gemini", "G1", drop(0, 2, "parts")),
    ("gemini", "G2: 3 answers", insert(2, {"role": "user", "parts": [{"text": "a"}]})),
    ("gemini", "G2: 2 isn't the user's", put("model", 2, "role")),
    ("gemini", "G3", drop(0)),
    ("gemini", "G4: 1 calls", put("other", 2, "parts", 0, "functionResponse", "id")),
    ("gemini", "G5: ", put("other", 2, "parts", 0, "functionResponse", "name")),
    ("gemini", "G5, G6", put("29%", 2, "parts", 0, "functionResponse", "response")),
    ("gemini", "G7", put("function", 2, "role")),
    ("bedrock", "B1", drop(0, 2, "content")),
    ("bedrock", "B2: 2 answers more", drop(3, 1, "content")),
    ("bedrock", "B2: 2 answers twice", double(0, 2, "content")),
    ("bedrock", "B3", double(0)),
    ("bedrock", "B4", put("", 1, "content", 2, "toolUse", "toolUseId")),
    ("bedrock", "B4", put("a.b", 1, "content", 2, "toolUse", "toolUseId")),
    ("bedrock", "B4", put("x" * 65, 1, "content", 2, "toolUse", "toolUseId")),
    ("bedrock", "B5: 2 is empty", put([], 2, "content")),
    ("bedrock", "B5", put("", 0, "content", 0, "text")),
    (
        "bedrock",
        "B5: 2 has json",
        put([{"json": 1}], 2, "content", 0, "toolResult", "content"),
    ),
    ("bedrock", "B8", insert(0, {"text": "hm"}, 2, "content")),
    ("mistral", "M1, M4: O1", drop(2)),
    ("mistral", "M1, M4: O3", put("000000009", 2, "tool_call_id")),
    ("mistral", "M1: the calls of message 0", drop(0)),
    ("mistral", "M2", drop(4)),
    ("mistral", "M3", put("call_3", 1, "tool_calls", 0, "id")),
    ("mistral", "M6", put("read gauge", 2, "name")),
    ("ai_sdk_ui", "U1: 1 has an output", drop("output", 1, "parts", 3)),
    ("ai_sdk_ui", "U1: 1 has a call", put("user", 1, "role")),
    ("ai_sdk_ui", "U2", put("input-available", 1, "parts", 3, "state")),
    ("ai_sdk_ui", "U2", put("approval-responded", 1, "parts", 3, "state")),
    ("ai_sdk_ui", "U1: 1 has a result", put({"id": "x"}, 1, "parts", 3, "approval")),
    ("ai_sdk_ui", "U1: 1 has two calls", put("call_4", 1, "parts", 3, "toolCallId")),
    ("ai_sdk_ui", "U4", put("output-error", 1, "parts", 3, "state")),
    ("langchain", "L1: no answer", drop(3)),
    ("langchain", "L1: 2 answers nobody", drop(2)),
    ("langchain", "L1: two answers", double(3)),
    ("langchain", "L1: 2 calls twice", double(0, 2, "tool_calls")),
    ("langchain", "L1: no answer", put("other", 2, "content", 2, "id")),
    ("pydantic_ai", "P1: 1 isn't answered", drop(0, 2, "parts")),
    ("pydantic_ai", "P1: 2 answers nobody", drop(2, 1, "parts")),
    ("pydantic_ai", "P1: 2 answers twice", double(0, 2, "parts")),
    ("pydantic_ai", "P1: 1 calls twice", double(2, 1, "parts")),
    (
        "pydantic_ai",
        "P1: 2 has an answer behind",
        insert(0, {"part_kind": "user-prompt", "content": "hm"}, 2, "parts"),
    ),
]

SEARCHES: list[tuple[str, Breach]] = [
    ("A10", insert(3, {"role": "assistant", "content": "Well."})),
    ("A10", insert(2, TEXT, 2, "content")),
    ("A11", drop(1, 1, "content")),
]


def found(form: str, talk: Talk, breach: Breach) -> list[str]:
    (held,) = [f for f in FORMS if f.name == form]
    messages = held.write(talk)
    assert held.broken(messages) == []
    breach(messages)
    return held.broken(messages)


@pytest.mark.parametrize(("form", "rule", "breach"), BREACHES)
def test_a_breach_is_found_by_its_rule(form: str, rule: str, breach: Breach) -> None:
    broken = found(form, TALK, breach)
    assert any(line.startswith(rule) for line in broken), broken


@pytest.mark.parametrize(("rule", "breach"), SEARCHES)
def test_a_server_call_that_cant_be_answered_is_found(
    rule: str, breach: Breach
) -> None:
    if rule == "A11":
        talk = Talk((*SEARCH.steps, Reply(8, thinks=False, says=True)), ids=True)
    else:
        talk = SEARCH
    broken = found("anthropic", talk, breach)
    assert any(line.startswith(rule) for line in broken), broken
