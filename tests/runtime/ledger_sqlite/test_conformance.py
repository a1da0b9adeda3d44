"""What every ledger does, in memory and in a file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolroute import Refusal, ToolError
from toolroute.runtime._answer import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
    own_error,
)
from toolroute.runtime._ledger import (
    Entry,
    Ledger,
    LedgerError,
    MemoryLedger,
    Opened,
    Wanted,
)
from toolroute.runtime._sqlite import SqliteLedger

REFUSAL = Refusal("unknown_tool", "NO_SUCH_TOOL", "no", "There is no such tool.")
Call = Callable[..., Opened]
Result = Callable[[Any], Answer]


@pytest.fixture(params=["memory", "sqlite"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    kept: Ledger = MemoryLedger()
    if request.param == "sqlite":
        kept = SqliteLedger(tmp_path / "calls.ledger")
    yield kept
    kept.close()


def test_a_ledger_is_empty_and_has_recovered_nothing(ledger: Ledger) -> None:
    assert list(ledger.find(Wanted())) == []
    assert list(ledger.recovered) == []


def test_numbers_are_never_given_twice(ledger: Ledger, call: Call) -> None:
    first = call(ledger)
    ledger.record([first])
    numbers = [first.number, *(ledger.number() for _ in range(100))]
    assert len(set(numbers)) == 101


def test_owners_have_names_of_their_own(tmp_path: Path) -> None:
    ledgers: list[Ledger] = [MemoryLedger(), MemoryLedger()]
    ledgers += [SqliteLedger(tmp_path / "calls.ledger") for _ in range(2)]
    assert len({one.owner for one in ledgers}) == 4
    for one in ledgers:
        assert one.owner.isalnum()
        one.close()


def test_a_call_is_found_as_it_was_opened(ledger: Ledger, call: Call) -> None:
    one = call(ledger, input={"litres": 3, "deep": [None, {"ü": 1.5}]})
    assert list(ledger.record([one])) == []
    (found,) = ledger.find(Wanted())
    assert found == Entry(one, ledger.owner, False, None, None)  # noqa: FBT003
    assert found.state == "open"


def test_a_start_is_found(ledger: Ledger, call: Call) -> None:
    one = call(ledger)
    ledger.record([one])
    ledger.record((), [one.number])
    (found,) = ledger.find(Wanted())
    assert found == Entry(one, ledger.owner, True, None, None)  # noqa: FBT003
    assert found.state == "started"


@pytest.mark.parametrize(
    "answer",
    [
        Refused(REFUSAL, marked=True),
        Refused(REFUSAL),
        BadArguments("open_valve", "end in the middle"),
        Failed("open_valve", "the valve is stuck"),
        NotExecuted("open_valve"),
        OutcomeUnknown("open_valve"),
        own_error(ToolError("Open the tap first.", code="TAP", retry="after-delay")),
    ],
    ids=lambda answer: answer.kind,
)
def test_an_answer_comes_back_as_it_was_given(
    ledger: Ledger, call: Call, answer: Answer
) -> None:
    one = call(ledger)
    ledger.record([one])
    assert list(ledger.record((), (), [(one.number, answer)])) == []
    (found,) = ledger.find(Wanted())
    assert found == Entry(one, ledger.owner, False, answer.kind, answer)  # noqa: FBT003
    assert found.state == "answered"


@pytest.mark.parametrize(
    "content", [None, "", "text", 0, 1.5, True, [], {"a": [None]}, "\ud800", "\0", "🜁"]
)
def test_any_json_comes_back_as_it_was_returned(
    ledger: Ledger, call: Call, result: Result, content: Any
) -> None:
    one = call(ledger)
    ledger.record([one], [one.number], [(one.number, result(content))])
    (found,) = ledger.find(Wanted())
    assert found.answer is not None
    assert (found.started, found.answer) == (True, result(content))
    assert found.answer.json == result(content).json


@pytest.mark.parametrize("words", ["", "\ud800", "a\0b", "'; DROP TABLE calls", "🜁"])
def test_any_words_come_back_as_they_were(
    ledger: Ledger, call: Call, words: str
) -> None:
    one = call(ledger, words, id=words, agent=words, turn=words)
    one = one._replace(key=words, caller=words, module=words)
    ledger.record([one])
    wanted = Wanted(agent=words, turn=words, id=words, name=words)
    assert [entry.opened for entry in ledger.find(wanted)] == [one]


def test_words_that_differ_in_what_is_not_unicode_are_not_confused(
    ledger: Ledger, call: Call
) -> None:
    ledger.record([call(ledger, id="\ud800"), call(ledger, id="\ud801")])
    found = ledger.find(Wanted(id="\ud801"))
    assert [entry.opened.call.id for entry in found] == ["\ud801"]


def test_calls_are_found_in_the_order_of_their_opening(
    ledger: Ledger, call: Call, result: Result
) -> None:
    one, two, three = (call(ledger, place=place) for place in range(3))
    ledger.record([one, two, three])
    ledger.record((), (), [(three.number, result(3)), (one.number, result(1))])
    assert [entry.opened for entry in ledger.find(Wanted())] == [one, two, three]


def test_each_condition_leaves_calls_out(
    ledger: Ledger, call: Call, result: Result
) -> None:
    base = call(ledger)
    other = {
        "agent": call(ledger, agent="berta"),
        "no agent": call(ledger, agent=None),
        "turn": call(ledger, turn="turn-2"),
        "no turn": call(ledger, turn=None),
        "id": call(ledger, id="toolu_2"),
        "name": call(ledger, "close_valve"),
        "started": call(ledger),
        "answered": call(ledger),
    }
    started, answered = other["started"], other["answered"]
    ledger.record(
        [base, *other.values()], [started.number], [(answered.number, result(1))]
    )

    def found(wanted: Wanted) -> set[int]:
        return {entry.opened.number for entry in ledger.find(wanted)}

    everything = {base.number, *(one.number for one in other.values())}

    def without(*left_out: str) -> set[int]:
        return everything - {other[key].number for key in left_out}

    assert found(Wanted(agent="anna")) == without("agent", "no agent")
    assert found(Wanted(turn="turn-1")) == without("turn", "no turn")
    assert found(Wanted(id="toolu_1")) == without("id")
    assert found(Wanted(name="open_valve")) == without("name")
    assert found(Wanted(state="open")) == without("started", "answered")
    assert found(Wanted(state="started")) == {started.number}
    assert found(Wanted(state="answered")) == {answered.number}
    assert found(Wanted(owner=ledger.owner)) == everything
    assert found(Wanted(owner="nobody")) == set()


def test_one_id_twice_is_two_calls(ledger: Ledger, call: Call, result: Result) -> None:
    one, two = call(ledger), call(ledger)
    ledger.record([one, two])
    ledger.record((), (), [(two.number, result(2))])
    found = ledger.find(Wanted(id="toolu_1"))
    assert [entry.answer for entry in found] == [None, result(2)]


def test_one_key_twice_is_two_calls(ledger: Ledger, call: Call) -> None:
    one, two = (call(ledger)._replace(key="pay-the-bill") for _ in range(2))
    ledger.record([one])
    ledger.record([two])
    assert [entry.opened for entry in ledger.find(Wanted())] == [one, two]


def test_a_record_of_nothing_changes_nothing(ledger: Ledger) -> None:
    assert list(ledger.record()) == []
    assert list(ledger.find(Wanted())) == []


def test_a_closed_ledger_records_nothing(ledger: Ledger, call: Call) -> None:
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError) as refused:
        ledger.record([call(ledger)])
    assert refused.value.kind == "closed"
