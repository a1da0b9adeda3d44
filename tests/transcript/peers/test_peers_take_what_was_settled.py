"""Where a public library enforces a format's rules, it judges the settled output."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toolroute.transcript import settle

from ..legality.damage import damaged  # noqa: TID252
from ..legality.forms import FORMS  # noqa: TID252
from ..legality.often import often  # noqa: TID252
from ..legality.talk import talks  # noqa: TID252
from . import judges

CASES = [
    json.loads(path.read_text())
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.json"))
]
WRITE = {form.name: form.write for form in FORMS}

PEERS: dict[str, tuple[str, str, Callable[[list[Any]], None]]] = {
    "anthropic's types": ("anthropic", "anthropic", judges.anthropic_types),
    "openai's chat types": ("openai_chat", "openai", judges.openai_chat_types),
    "openai's item types": (
        "openai_responses",
        "openai",
        judges.openai_responses_types,
    ),
    "google-genai's types": ("gemini", "google.genai", judges.google_genai_types),
    "botocore": ("bedrock", "botocore", judges.botocore_converse),
    "mistral-common": ("mistral", "mistral_common", judges.mistral_common),
    "langgraph": ("langchain", "langgraph.prebuilt", judges.langgraph_history),
    "pydantic-ai": ("pydantic_ai", "pydantic_ai", judges.pydantic_ai_repair),
}

every_peer = pytest.mark.parametrize("peer", PEERS)


def settled_cases(form: str) -> list[list[Any]]:
    return [
        list(settle(case["messages"], form, **case.get("context", {})).messages)
        for case in CASES
        if case["format"] == form
    ]


@every_peer
def test_a_peer_takes_every_settled_case(
    peer: str, need: Callable[[str], None]
) -> None:
    form, module, judge = PEERS[peer]
    need(module)
    assert settled_cases(form)
    for messages in settled_cases(form):
        judge(messages)


@every_peer
@often
@given(data=st.data())
def test_a_peer_takes_any_hurt_talk_once_settled(
    peer: str, need: Callable[[str], None], data: st.DataObject
) -> None:
    form, module, judge = PEERS[peer]
    need(module)
    hurt = data.draw(damaged(WRITE[form](data.draw(talks()))))
    assume(hurt)
    judge(list(settle(hurt, form).messages))


@every_peer
@often
@given(data=st.data())
def test_a_peer_takes_the_talks_that_are_drawn(
    peer: str, need: Callable[[str], None], data: st.DataObject
) -> None:
    form, module, judge = PEERS[peer]
    need(module)
    judge(WRITE[form](data.draw(talks())))


MISTRAL = [
    ("v1", None),
    ("v2", None),
    ("v3", None),
    ("v7", None),
    ("v11", None),
    ("v13", None),
    ("v15", None),
    ("v13", "mistral:v13"),
    ("v15", "mistral:v13"),
]


@pytest.mark.parametrize(("version", "target"), MISTRAL)
@often
@given(data=st.data())
def test_every_version_of_mistral_takes_it(
    version: str, target: str | None, need: Callable[[str], None], data: st.DataObject
) -> None:
    need("mistral_common")
    hurt = data.draw(damaged(WRITE["mistral"](data.draw(talks()))))
    assume(hurt)
    settled = settle(hurt, "mistral", target=target)
    judges.mistral_common(list(settled.messages), version)


def test_ai_takes_every_settled_case(ai_says: Callable[[list[Any]], Any]) -> None:
    assert settled_cases("ai_sdk_ui")
    for messages in settled_cases("ai_sdk_ui"):
        assert ai_says(messages) is None


@often
@given(data=st.data())
def test_ai_takes_any_hurt_talk_once_settled(
    ai_says: Callable[[list[Any]], Any], data: st.DataObject
) -> None:
    hurt = data.draw(damaged(WRITE["ai_sdk_ui"](data.draw(talks()))))
    assume(hurt)
    assert ai_says(list(settle(hurt, "ai_sdk_ui").messages)) is None


@often
@given(data=st.data())
def test_ai_takes_the_talks_that_are_drawn(
    ai_says: Callable[[list[Any]], Any], data: st.DataObject
) -> None:
    assert ai_says(WRITE["ai_sdk_ui"](data.draw(talks()))) is None


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["id"] in {"100", "110"}]
)
def test_a_peer_objects_to_what_was_not_settled(
    case: dict[str, Any], need: Callable[[str], None]
) -> None:
    _, module, judge = next(p for p in PEERS.values() if p[0] == case["format"])
    need(module)
    with pytest.raises((ValueError, AssertionError)):
        judge(case["messages"])


def test_ai_objects_to_what_was_not_settled(
    ai_says: Callable[[list[Any]], Any],
) -> None:
    (case,) = [case for case in CASES if case["id"] == "090"]
    assert "MissingToolResults" in ai_says(case["messages"])


def test_pydantic_ai_has_no_two_requests_to_merge(need: Callable[[str], None]) -> None:
    need("pydantic_ai")
    calls = [
        {"part_kind": "tool-call", "tool_name": "read", "tool_call_id": call_id}
        for call_id in ("a", "b")
    ]
    first, second = (
        {**call, "part_kind": "tool-return", "content": "31%"} for call in calls
    )
    prompt = {"part_kind": "user-prompt", "content": "And?"}
    history = [
        {"kind": "response", "parts": calls},
        {"kind": "request", "parts": [first]},
        {"kind": "request", "parts": [second, prompt]},
    ]
    settled = settle(history, "pydantic_ai").messages
    assert judges.pydantic_ai_repaired(list(settled)) == (2, 2)
