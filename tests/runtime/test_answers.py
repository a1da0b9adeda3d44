import json
from typing import Any

import pytest

from toolroute import Refusal, ToolError, ToolResult
from toolroute.runtime import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
    Returned,
)
from toolroute.runtime._answer import from_text, own_error, returned, to_text

NO = Refusal("primary_only", "TOOL_REFUSED", "no", "focus is for the primary only")


def _error(code: str, message: str, retry: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "retry": retry}}


SEEN: list[tuple[Answer, Any, str]] = [
    (returned(ToolResult("done")), "done", "ok"),
    (returned(ToolResult({"a": [1, None]})), {"a": [1, None]}, "ok"),
    (returned(ToolResult("no such file", is_error=True)), "no such file", "error"),
    (
        own_error(ToolError("wait", code="BUSY", retry="after-delay")),
        _error("BUSY", "wait", "after-delay"),
        "error",
    ),
    (Refused(NO), _error("TOOL_REFUSED", NO.text, "no"), "error"),
    (Refused(NO, marked=True), _error("TOOL_REFUSED", NO.text, "no"), "refused"),
    (
        BadArguments("think", "aren't JSON"),
        _error(
            "BAD_ARGUMENTS",
            "think was not run, since its arguments aren't JSON. Nothing was done: "
            "call it again with one JSON object.",
            "with-changes",
        ),
        "error",
    ),
    (
        Failed("think", "out of ink"),
        _error("TOOL_FAILED", "think couldn't answer: out of ink", "check-first"),
        "error",
    ),
    (
        NotExecuted("think"),
        _error(
            "TOOL_NOT_EXECUTED",
            "think was not run, so nothing was done. "
            "Call it again if it is still needed.",
            "yes",
        ),
        "not-run",
    ),
    (
        OutcomeUnknown("think"),
        _error(
            "TOOL_OUTCOME_UNKNOWN",
            "No result of think is on record. "
            "It may have taken effect: check before calling it again.",
            "check-first",
        ),
        "unknown",
    ),
]


@pytest.mark.parametrize(("answer", "content", "status"), SEEN)
def test_the_model_sees_this_json(answer: Answer, content: Any, status: str) -> None:
    assert (answer.content, answer.status) == (content, status)
    assert json.loads(answer.json) == content


@pytest.mark.parametrize(("answer", "_content", "_status"), SEEN)
def test_an_answer_is_read_back_as_it_was_written(
    answer: Answer, _content: Any, _status: str
) -> None:
    text = to_text(answer)
    assert text.isascii()
    assert from_text(text) == answer


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"kind": "lost"}', '{"kind": "failed"}', "7", "nul"]
)
def test_what_is_not_an_answer_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- json's own is one, too
        from_text(text)


def test_only_a_result_without_error_ends_a_turn() -> None:
    assert returned(ToolResult("", ends_turn=True)).ends_turn
    assert not returned(ToolResult("", is_error=True, ends_turn=True)).ends_turn
    assert not own_error(ToolError("no")).ends_turn


def test_what_a_handler_does_to_its_objects_later_changes_no_record() -> None:
    content = {"rows": [1]}
    answer = returned(ToolResult(content))
    content["rows"].append(2)
    assert answer.json == '{"rows": [1]}'
    assert from_text(to_text(answer)).content == {"rows": [1]}


def test_results_are_told_apart_by_everything_they_say() -> None:
    one = returned(ToolResult("a"))
    assert one == returned(ToolResult("a"))
    assert hash(one) == hash(returned(ToolResult("a")))
    assert one != returned(ToolResult("a", is_error=True))
    assert one != returned(ToolResult("a", ends_turn=True))
    assert one != Returned("b", '"b"', False, False)  # noqa: FBT003
    assert repr(one) == 'Returned("a", is_error=False, ends_turn=False)'


@pytest.mark.parametrize("name", ["x" * 5000, "a\nb", "\u202eevil", "\ud800"])
def test_a_name_is_one_bounded_line_whatever_the_model_sent(name: str) -> None:
    for answer in (NotExecuted(name), OutcomeUnknown(name), Failed(name, name)):
        message = answer.content["error"]["message"]
        assert message.isprintable()
        assert len(message) < 600
        assert from_text(to_text(answer)) == answer
