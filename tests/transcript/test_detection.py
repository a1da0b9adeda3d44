"""The format is told by what only that format has, and asked for when nothing tells."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolroute.transcript import FormatUnknown, NotATranscript, detect

CASES = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
]
SHAPED_ALIKE = {"081"}
"""A Mistral transcript with an id that isn't Mistral's looks like Chat Completions."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_case_is_told(case: dict[str, Any]) -> None:
    wanted = "openai_chat" if case["id"] in SHAPED_ALIKE else case["format"]
    assert detect(case["messages"]) == wanted


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hi."}],
        [{"role": "user", "content": [{"type": "text", "text": "Hi."}]}],
        [{}],
        [{"role": "user", "parts": []}],
        [{"type": [], "role": {}, "content": [[], None, {"type": 5}]}],
    ],
)
def test_what_tells_nothing_is_asked_for(messages: list[Any]) -> None:
    with pytest.raises(FormatUnknown):
        detect(messages)


@pytest.mark.parametrize("messages", [None, 5, "[]", {"messages": []}, [None], [[]]])
def test_what_is_no_list_of_messages_is_said_to_be_none(messages: Any) -> None:
    with pytest.raises(NotATranscript):
        detect(messages)
