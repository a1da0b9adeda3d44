"""What isn't a transcript gets a sentence, whatever shape it has."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute.transcript import (
    NotATranscript,
    TranscriptError,
    check,
    detect,
    settle,
)

CASES = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
]


def deep(levels: int) -> Any:
    found: Any = []
    for _ in range(levels):
        found = {"a": [found]}
    return found


SHAPES: list[Any] = [
    None,
    True,
    0,
    float("nan"),
    float("-inf"),
    "",
    "\ud800",
    "x" * 100_000,
    [],
    {},
    [[]],
    [None],
    {"type": []},
    {"type": "tool_use"},
    deep(5_000),
    (),
    "user",
    "tool_result",
]


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(s for key, v in inner for s in spots(v, (*path, key)))]


def with_shape(messages: list[Any], path: tuple[Any, ...], shape: Any) -> list[Any]:
    hurt: Any = copy.deepcopy(messages)
    parent = hurt
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = shape
    return list(hurt)


def sentence(work: Callable[[], object]) -> str | None:
    """What is said of something that isn't a transcript."""
    try:
        work()
    except TranscriptError as told:
        return str(told)
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_any_shape_anywhere_is_settled_or_gets_a_sentence(case: dict[str, Any]) -> None:
    chance = random.Random(case["id"])  # noqa: S311  (the same shapes every time)
    for path in spots(case["messages"])[1:]:
        hurt = with_shape(case["messages"], path, chance.choice(SHAPES))
        for work in (lambda m=hurt: detect(m), lambda m=hurt: sound(m, case["format"])):
            said = sentence(work)
            assert said is None or (said.endswith(".") and 20 < len(said) < 400)


def sound(messages: list[Any], format_: str) -> None:
    settled = settle(messages, format_)
    assert check(settled.messages, format_) == list(settled.remaining)
    assert settle(settled.messages, format_).changes == ()


@pytest.mark.parametrize(
    ("messages", "format_", "said"),
    [
        (
            [{"role": "user", "content": 5}],
            "anthropic",
            (
                "message 0 of this anthropic transcript holds a number where text or a "
                "list of blocks under `content` was expected. Counting starts at 0."
            ),
        ),
        (
            [{"role": "assistant", "content": [{"type": "tool_use", "id": ["a"]}]}],
            "anthropic",
            (
                "message 0, block 0 of this anthropic transcript holds a list where "
                "text under `id` was expected. Counting starts at 0."
            ),
        ),
        (
            [{"role": "robot", "content": "Hi."}],
            "openai_chat",
            (
                "message 0 of this openai_chat transcript holds the text `robot` where "
                "one of system, developer, user, assistant, function, tool under "
                "`role` was expected. Counting starts at 0."
            ),
        ),
        (
            [{"role": "user"}],
            "gemini",
            (
                "content 0 of this gemini transcript holds nothing where a list of "
                "parts under `parts` was expected. Counting starts at 0."
            ),
        ),
        (
            {"messages": []},
            "bedrock",
            "A list of messages was expected, and an object was given.",
        ),
    ],
)
def test_the_sentence_says_what_was_expected_and_where(
    messages: Any, format_: str, said: str
) -> None:
    with pytest.raises(NotATranscript) as told:
        check(messages, format_)
    assert str(told.value) == said


def test_messages_of_another_format_are_never_let_pass_in_silence() -> None:
    chat = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hi."}]
    for format_ in ("gemini", "bedrock", "ai_sdk_ui", "pydantic_ai"):
        with pytest.raises(NotATranscript):
            check(chat, format_)


def test_no_messages_are_fine_in_any_format_that_is_named() -> None:
    assert check([], "anthropic") == []
    assert settle([], "gemini").messages == []


def test_a_lone_surrogate_in_an_id_is_an_id() -> None:
    use = {"type": "tool_use", "id": "a\ud800", "name": "read", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a\ud800", "content": "31%"}
    messages = [
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    settled = settle(messages, "anthropic")
    assert [v.kind for v in check(messages, "anthropic")] == ["invalid_call_id"]
    assert settled.messages[1]["content"][0]["content"] == "31%"
