"""The checker is held to what is known: drawn talks are legal, the cases are not."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import rules_openai_responses
from .forms import FORMS, Form
from .often import every_form, often
from .seen import Message
from .talk import talks

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.json"))
BY_NAME = {form.name: form for form in FORMS}


def broken_in(case: dict[str, Any], messages: list[Message]) -> list[str]:
    if "previous_response_id" in case.get("context", {}):
        return rules_openai_responses.broken(messages, held=True)
    return BY_NAME[case["format"]].broken(messages)


@every_form
@often
@given(data=st.data())
def test_a_drawn_talk_breaks_no_rule(form: Form, data: st.DataObject) -> None:
    messages = form.write(data.draw(talks()))
    assert form.broken(messages) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_breaks_a_rule_where_it_lists_a_violation(path: Path) -> None:
    case = json.loads(path.read_text())
    broken = broken_in(case, case["messages"])
    assert bool(broken) == bool(case["violations"]), broken


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_a_case_expects_breaks_no_rule(path: Path) -> None:
    case = json.loads(path.read_text())
    expected: dict[str, Any] = case["expected_after_repair"]
    outcomes = [
        expected[key] for key in ("messages", "example_messages") if key in expected
    ]
    outcomes += expected.get("alternatives", {}).values()
    assert [broken_in(case, outcome) for outcome in outcomes] == [[] for _ in outcomes]
