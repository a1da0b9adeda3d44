"""Which call an entry was, where that can be told."""

import asyncio
import itertools
from typing import Any

import pytest
from runtime_house import text

from toolroute import ToolCall
from toolroute.runtime import (
    Capture,
    OutcomeUnknown,
    Step,
)
from toolroute.runtime.testing import CallInfo


def _id(args: tuple[Any, ...], _named: Any) -> str | None:
    return args[0].tool_call_id if args and isinstance(args[0], CallInfo) else None


def _disable(_info: CallInfo | None = None, **given: Any) -> str:
    return f"{given.get('device')} is disabled"


async def _disable_later(_info: CallInfo | None = None, **given: Any) -> str:
    await asyncio.sleep(1)
    return _disable(**given)


def _capture(*, ids: bool = True, **settings: Any) -> Capture:
    tools = {"disable": _disable, "later": _disable_later}
    return Capture(tools, id_of=_id if ids else None, **settings)


def _made(name: str, id_: str = "", **given: Any) -> ToolCall:
    return ToolCall(id_, name, given)


TURIN = [
    _made("disable", "c1", device="d1"),
    _made("later", "c2", device="d2"),
    _made("filter_table", "c3", status="offline"),
]
"""Disable the offline devices in Turin and filter them in the table."""


def _entered(step: Step, *made: tuple[str, str]) -> None:
    for id_, device in made:
        info = [CallInfo(id_)] if id_ else []
        step.tools["disable"](*info, device=device)


def _settled(step: Step, *made: tuple[str, str]) -> list[Any]:
    calls = [_made("disable", id_, device=device) for id_, device in made]
    answers = step.settle(calls)
    return [text(answers[place]) for place in range(len(calls))]


UNKNOWN, NOT = "TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_EXECUTED"


@pytest.mark.parametrize(
    ("entered", "made", "answers"),
    [
        # By id, whatever the input became on its way.
        ([("a", "D1")], [("a", "d1"), ("b", "d1")], ["D1 is disabled", NOT]),
        # One id, twice: by input, and by order where they are equal, too.
        (
            [("a", "d2"), ("a", "d1")],
            [("a", "d1"), ("a", "d2")],
            ["d1 is disabled", "d2 is disabled"],
        ),
        (
            [("a", "d1"), ("a", "d1")],
            [("a", "d1"), ("a", "d1")],
            ["d1 is disabled", "d1 is disabled"],
        ),
        # One id, twice, and one entry: which of them it was can't be told.
        ([("a", "d1")], [("a", "d1"), ("a", "d1")], [UNKNOWN, UNKNOWN]),
        # A call entered again by the loop: its last run counts.
        ([("a", "d1"), ("a", "d3")], [("a", "d1")], ["d3 is disabled"]),
        # No ids at all.
        ([("", "d1")], [("", "d1"), ("", "d2")], ["d1 is disabled", NOT]),
        ([("", "d1")], [("", "d1"), ("", "d1")], [UNKNOWN, UNKNOWN]),
        (
            [("", "d2"), ("", "d1")],
            [("", "d1"), ("", "d2")],
            ["d1 is disabled", "d2 is disabled"],
        ),
        # The input was changed on its way: the name tells, if there's one of each.
        ([("", "D1")], [("", "d1")], ["D1 is disabled"]),
        ([("", "D1")], [("", "d1"), ("", "d2")], [UNKNOWN, UNKNOWN]),
        ([("", "D1")], [("a", "d1")], ["D1 is disabled"]),
        # The loop made up an id where the model sent none.
        ([("x", "d1")], [("", "d1")], ["d1 is disabled"]),
        # An entry of another step's call isn't this one's.
        ([("x", "d1")], [("a", "d1")], [NOT]),
        (
            [("", "d1"), ("", "D2")],
            [("", "d1"), ("", "d2")],
            ["d1 is disabled", UNKNOWN],
        ),
        # An entry that can't be told may have been any of them.
        (
            [("", "D1"), ("a", "d1")],
            [("a", "d1"), ("b", "d2")],
            ["d1 is disabled", UNKNOWN],
        ),
    ],
)
def test_entries_are_matched_where_that_is_unambiguous(
    entered: list[tuple[str, str]], made: list[tuple[str, str]], answers: list[str]
) -> None:
    step = _capture().step()
    _entered(step, *entered)
    assert _settled(step, *made) == answers


def test_no_call_that_was_entered_is_ever_said_not_to_have_been() -> None:
    """Over every small step in which the loop may have changed inputs or lost ids."""
    sent = [("", "d1"), ("a", "d1"), ("", "d2"), ("b", "d2")]
    for size in (1, 2, 3):
        for made in itertools.product(sent, repeat=size):
            for runs in itertools.product((False, True), repeat=size):
                for lost, changed in itertools.product((False, True), repeat=2):
                    step = _capture().step()
                    for (id_, device), ran in zip(made, runs, strict=True):
                        if ran:
                            seen = device.upper() if changed else device
                            _entered(step, ("" if lost else id_, seen))
                    answers = _settled(step, *made)
                    for answer, ran in zip(answers, runs, strict=True):
                        assert not (ran and answer == NOT)


def test_an_input_that_is_not_json_tells_nothing() -> None:
    step = Capture({"disable": lambda **_given: "done"}).step()
    step.tools["disable"](device=object())
    assert step.settle([TURIN[0], _made("disable", "c2", device="d2")]) == {
        0: OutcomeUnknown("disable"),
        1: OutcomeUnknown("disable"),
    }
