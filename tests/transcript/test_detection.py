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
        [{"type": "user", "uuid": "1"}],
        [{"type": "event", "data": 5}],
    ],
)
def test_what_tells_nothing_is_asked_for(messages: list[Any]) -> None:
    with pytest.raises(FormatUnknown):
        detect(messages)


@pytest.mark.parametrize(
    "kind",
    [
        "message",
        "reasoning",
        "item_reference",
        "compaction",
        "function_call",
        "function_call_output",
        "web_search_call",
        "mcp_list_tools",
        "tool_search_output",
    ],
)
def test_an_item_s_type_tells_responses(kind: str) -> None:
    assert detect([{"type": kind}]) == "openai_responses"


def test_a_log_of_messages_is_no_transcript_and_is_told_so() -> None:
    """As a coding agent's session log has them."""
    lines = [{"type": "summary"}, {"type": "user", "message": {"role": "user"}}]
    with pytest.raises(NotATranscript, match="message 1 is an object that holds anoth"):
        detect(lines)


@pytest.mark.parametrize("messages", [None, 5, "[]", {"messages": []}, [None], [[]]])
def test_what_is_no_list_of_messages_is_said_to_be_none(messages: Any) -> None:
    with pytest.raises(NotATranscript):
        detect(messages)
