import itertools
from typing import get_args

import pytest

from toolroute import Refusal, ToolResult
from toolroute.runtime import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
    State,
)
from toolroute.runtime._answer import returned
from toolroute.runtime._life import TABLE, Ending, Happening, Life

RETURNED = returned(ToolResult("done"))
REFUSED = Refused(Refusal("no", "TOOL_REFUSED", "no", "no"))
BAD = BadArguments("t", "are text")
FAILED = Failed("t", "no luck")
NOT = NotExecuted("t")
UNKNOWN = OutcomeUnknown("t")
ANSWERS: tuple[Answer, ...] = (RETURNED, REFUSED, BAD, FAILED, NOT, UNKNOWN)

ROWS: dict[tuple[State, Happening], tuple[State, set[str]]] = {
    ("open", "started"): ("started", set()),
    ("open", "refused"): ("answered", {"refused", "bad_arguments"}),
    ("open", "closed"): ("answered", {"not_executed"}),
    ("started", "returned"): ("answered", {"returned"}),
    ("started", "raised"): ("answered", {"failed"}),
    ("started", "disclaimed"): ("answered", {"not_executed"}),
    ("started", "closed"): ("answered", {"outcome_unknown"}),
}
PAIRS = [
    (state, happening)
    for state in get_args(State)
    for happening in ("started", *get_args(Ending))
]


def _a_life(state: State) -> Life:
    life = Life()
    if state != "open":
        assert life.start()
    if state == "answered":
        assert life.end("returned", RETURNED)
    return life


def test_the_table_is_the_designs() -> None:
    assert {
        (state, happening): (to, set(kinds))
        for state, rows in TABLE.items()
        for happening, (to, kinds) in rows.items()
    } == ROWS


@pytest.mark.parametrize(("state", "happening"), PAIRS)
def test_a_pair_that_is_not_a_row_changes_nothing(
    state: State, happening: Happening
) -> None:
    for answer in ANSWERS:
        life = _a_life(state)
        before = (life.state, life.answer)
        if happening == "started":
            moved = life.start()
        elif answer.kind in ROWS.get((state, happening), ("", {answer.kind}))[1]:
            moved = life.end(happening, answer)
        else:
            continue
        if (state, happening) in ROWS:
            ends = happening != "started"
            after = (ROWS[state, happening][0], answer if ends else None)
            assert (moved, (life.state, life.answer)) == (True, after)
        else:
            assert (moved, (life.state, life.answer)) == (False, before)


@pytest.mark.parametrize(("way", "answer"), list(itertools.product(ROWS, ANSWERS)))
def test_no_cause_wears_anothers_words(
    way: tuple[State, Happening], answer: Answer
) -> None:
    state, happening = way
    if happening == "started" or answer.kind in ROWS[way][1]:
        return
    life = _a_life(state)
    with pytest.raises(AssertionError):
        life.end(happening, answer)
    assert (life.state, life.answer) == (state, None)


def test_closing_says_what_was_seen() -> None:
    assert _a_life("open").closing("valve") == NotExecuted("valve")
    assert _a_life("started").closing("valve") == OutcomeUnknown("valve")
