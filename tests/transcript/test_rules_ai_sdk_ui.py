"""Vercel AI SDK: what a part's state says of its call, and what becomes of it."""

import json
from typing import Any

import pytest

from toolroute import ToolResult, not_executed, outcome_unknown
from toolroute.transcript import Answers, Growing, Violation, check, settle

UNKNOWN = json.dumps(outcome_unknown("read"))
NOT_RUN = json.dumps(not_executed("read"))


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def part(state: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool-read", "toolCallId": "a", "state": state} | more


def ui(*parts: Any) -> list[Any]:
    spoken = {"id": "m3", "role": "user", "parts": [{"type": "text", "text": "And?"}]}
    return [{"id": "m2", "role": "assistant", "parts": list(parts)}, spoken]


def test_u1_a_part_that_was_still_streaming_was_not_run() -> None:
    messages = ui(part("input-streaming", input={"be": None}))
    assert seen(check(messages, "ai_sdk_ui")) == [("partial_call", "a", 0)]
    assert settle(messages, "ai_sdk_ui").messages[0]["parts"] == [
        part("output-error", input={"be": None}, errorText=NOT_RUN)
    ]


def test_u2_a_call_that_waits_for_an_approval_is_context() -> None:
    messages = ui(part("approval-requested", input={}, approval={"id": "x"}))
    assert seen(check(messages, "ai_sdk_ui")) == [("unanswered_call", "a", 0)]
    assert check(messages, "ai_sdk_ui", open_calls=["a"]) == []
    settled = settle(messages, "ai_sdk_ui", open_calls=["a"])
    assert settled.messages is messages


def responded(*, approved: bool, **more: Any) -> dict[str, Any]:
    decided = {"id": "x", "approved": approved}
    return part("approval-responded", input={}, approval=decided, **more)


@pytest.mark.parametrize("approved", [True, False])
def test_u2_an_approval_that_the_next_step_acts_on_is_legal(*, approved: bool) -> None:
    said, start = {"type": "text", "text": "One moment."}, {"type": "step-start"}
    live = responded(approved=approved)
    done = part("output-available", output="31%", toolCallId="b")
    (message, _) = ui(start, done, start, live, said, start)
    assert check([message], "ai_sdk_ui") == []


def test_u2_an_approval_that_nothing_acted_on_has_no_result() -> None:
    """Stuck: the SDK acts on it in the last step only, and wants a result before it."""
    given = responded(approved=True)
    messages = ui(given)
    assert seen(check(messages, "ai_sdk_ui")) == [("unanswered_call", "a", 0)]
    (fixed,) = settle(messages, "ai_sdk_ui").messages[0]["parts"]
    assert fixed == {**given, "state": "output-error", "errorText": UNKNOWN}
    (later, _) = ui(given, {"type": "step-start"}, {"type": "text", "text": "Hm."})
    assert seen(check([later], "ai_sdk_ui")) == [("unanswered_call", "a", 0)]


def test_u2_a_refusal_that_nothing_acted_on_is_a_denied_output() -> None:
    refused = responded(approved=False)
    messages = ui(refused)
    (found,) = check(messages, "ai_sdk_ui")
    assert found.remedy == "answered as denied, which its approval says that it was"
    (fixed,) = settle(messages, "ai_sdk_ui").messages[0]["parts"]
    assert fixed == {**refused, "state": "output-denied"}


def test_u2_a_provider_is_told_of_an_approval_later_too() -> None:
    assert check(ui(responded(approved=True, providerExecuted=True)), "ai_sdk_ui") == []


def test_u2_a_part_with_a_result_has_no_approval_that_was_not_given() -> None:
    messages = ui(part("approval-requested", input={}, approval={"id": "x"}))
    (fixed,) = settle(messages, "ai_sdk_ui").messages[0]["parts"]
    assert fixed == part("output-error", input={}, errorText=UNKNOWN)
    evidence = Answers({"a": ToolResult("31%")})
    refused = ui(responded(approved=False))
    (fixed,) = settle(refused, "ai_sdk_ui", evidence=evidence).messages[0]["parts"]
    assert fixed == part("output-available", input={}, output="31%")


def test_two_parts_of_one_message_do_not_share_an_id() -> None:
    twice = part("output-available", input={}, output="31%")
    messages = ui(twice, twice)
    assert seen(check(messages, "ai_sdk_ui")) == [("duplicate_call_id", "a", 0)]
    (first, second) = settle(messages, "ai_sdk_ui").messages[0]["parts"]
    assert (first, second) == (twice, {**twice, "toolCallId": "a_2"})


def test_u2_an_approval_is_looked_at_again_when_the_user_goes_on() -> None:
    (assistant, user) = ui(responded(approved=True))
    growing = Growing("ai_sdk_ui", [user, assistant])
    assert growing.settle().changes == ()
    growing.add(user)
    assert len(growing.settle().changes) == 1


def test_u4_an_error_without_its_text_gets_a_sentence() -> None:
    messages = ui(part("output-error", input={}))
    assert seen(check(messages, "ai_sdk_ui")) == [("empty_error_content", "a", 0)]
    fixed = settle(messages, "ai_sdk_ui").messages[0]["parts"][0]
    assert fixed["errorText"] == "read answered with an error and no words."


def test_version_4_parts_are_read_too() -> None:
    invocation = {"state": "call", "toolCallId": "a", "toolName": "read", "args": {}}
    old = {"type": "tool-invocation", "toolInvocation": invocation}
    fixed = settle(ui(old), "ai_sdk_ui").messages[0]["parts"][0]["toolInvocation"]
    assert fixed == {**invocation, "state": "result", "result": outcome_unknown("read")}
