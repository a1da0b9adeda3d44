"""Every case from the field: what is wrong in it, and what settling makes of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolroute import not_executed, outcome_unknown
from toolroute.transcript import check, settle

from .invariants import INVARIANTS

CASES = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
]
NO_RESULT = "${NO_RESULT}"

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def names_of(case: dict[str, Any]) -> list[str]:
    """The names of the tools, in any format's writing."""
    text = json.dumps(case["messages"])
    found = ["read_gauge", "open_valve", "web_search", "list_jobs", "wait_job"]
    return [name for name in (*found, "execute_socket") if name in text]


def matches(wanted: Any, seen: Any, case: dict[str, Any]) -> bool:
    """Equality, where `${NO_RESULT}` is the answer of a call without a result."""
    if wanted == NO_RESULT:
        answers = [outcome_unknown(name) for name in names_of(case)]
        inside = [answer["error"] for answer in answers]
        return seen in [json.dumps(answer) for answer in answers] or seen in inside
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return wanted.keys() == seen.keys() and all(
            matches(wanted[key], seen[key], case) for key in wanted
        )
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(wanted) == len(seen) and all(
            matches(w, s, case) for w, s in zip(wanted, seen, strict=True)
        )
    return bool(wanted == seen) and type(wanted) is type(seen)


def place(violation: dict[str, Any]) -> int:
    found = [
        violation[key] for key in ("message", "item", "content") if key in violation
    ]
    return int(found[0])


@every_case
def test_its_violations_are_the_ones_listed(case: dict[str, Any]) -> None:
    violations = check(case["messages"], case["format"], **case.get("context", {}))
    wanted = [(v["kind"], v["call_id"], place(v)) for v in case["violations"]]
    assert sorted((v.kind, v.call_id or "", v.message) for v in violations) == sorted(
        (kind, call_id or "", at) for kind, call_id, at in wanted
    )
    for listed in case["violations"]:
        same = [
            v
            for v in violations
            if (v.kind, v.message) == (listed["kind"], place(listed))
            and listed.get("index", v.index) == v.index
            and listed.get("name", v.name) == v.name
        ]
        assert same, listed


@every_case
def test_its_outcome_is_the_one_given(case: dict[str, Any]) -> None:
    settled = settle(case["messages"], case["format"], **case.get("context", {}))
    expected = case["expected_after_repair"]
    if "messages" in expected:
        assert matches(expected["messages"], list(settled.messages), case)
    assert settled.remaining == ()
    assert check(settled.messages, case["format"], **case.get("context", {})) == []


@every_case
def test_everything_stated_of_it_holds(case: dict[str, Any]) -> None:
    settled = settle(case["messages"], case["format"], **case.get("context", {}))
    stated = case["expected_after_repair"].get("invariants", [])
    tested = INVARIANTS.get(case["id"], {})
    assert sorted(tested) == sorted(stated)
    for statement, invariant in tested.items():
        assert invariant(case["messages"], settled), statement


@every_case
def test_settling_it_twice_changes_nothing_more(case: dict[str, Any]) -> None:
    context = case.get("context", {})
    once = settle(case["messages"], case["format"], **context)
    twice = settle(once.messages, case["format"], **context)
    assert twice.messages is once.messages
    assert twice.changes == ()


@every_case
def test_it_is_left_as_it_was(case: dict[str, Any]) -> None:
    before = json.dumps(case["messages"])
    settled = settle(case["messages"], case["format"], **case.get("context", {}))
    assert json.dumps(case["messages"]) == before
    assert (settled.messages is case["messages"]) == (case["violations"] == [])


@every_case
def test_no_answer_says_that_a_call_was_not_run(case: dict[str, Any]) -> None:
    settled = settle(case["messages"], case["format"], **case.get("context", {}))
    for name in names_of(case):
        assert json.dumps(not_executed(name))[2:-2] not in json.dumps(settled.messages)
