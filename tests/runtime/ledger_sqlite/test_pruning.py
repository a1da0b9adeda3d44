"""Answers go after a while, or when there are too many; open calls never do."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger
from toolroute.runtime._sqlite_prune import prune

from .given import Call, Open, Result


@pytest.fixture
def fill(call: Call, result: Result) -> Callable[..., list[Opened]]:
    """Records so many calls, each in a record of its own."""

    def record(ledger: SqliteLedger, answered: int, unanswered: int) -> list[Opened]:
        calls = [call(ledger) for _ in range(answered + unanswered)]
        ledger.record(calls)
        for one in calls[unanswered:]:
            ledger.record((), (), [(one.number, result(1))])
        return calls

    return record


def numbers(ledger: SqliteLedger) -> list[int]:
    return [found.opened.number for found in ledger.find(Wanted())]


def test_the_newest_calls_stay_and_open_ones_always_do(
    opened: Open, fill: Callable[..., list[Opened]], clock: Callable[[], float]
) -> None:
    ledger = opened(keep=3, clock=clock)
    calls = [one.number for one in fill(ledger, 10, 2)]
    assert ledger.prune() == 7
    assert numbers(ledger) == [*calls[:2], *calls[-3:]]
    assert ledger.prune() == 0


def test_calls_of_one_moment_are_counted_one_by_one(
    opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(keep=3, clock=lambda: 1_800_000_000.0)
    calls = [call(ledger) for _ in range(10)]
    ledger.record(calls, (), [(one.number, result(1)) for one in calls])
    assert ledger.prune() == 7
    assert numbers(ledger) == [one.number for one in calls[-3:]]


def test_the_very_newest_stays_so_that_serials_go_on(
    opened: Open, fill: Callable[..., list[Opened]]
) -> None:
    for settings in ({"keep": 0}, {"keep": None, "keep_for": timedelta(seconds=-1)}):
        with opened(**settings) as ledger:
            fill(ledger, 10, 0)
            assert len(numbers(ledger)) in (10, 11)
            ledger.prune()
            assert numbers(ledger) == [10]


def test_answers_stay_for_as_long_as_is_said(
    opened: Open, fill: Callable[..., list[Opened]]
) -> None:
    now = [1_800_000_000.0]
    ledger = opened(keep=None, keep_for=timedelta(days=1), clock=lambda: now[0])
    old = fill(ledger, 3, 1)
    now[0] += 86_400
    new = fill(ledger, 2, 0)
    assert ledger.prune() == 0
    now[0] += 1
    assert ledger.prune() == 3
    assert numbers(ledger) == [one.number for one in (old[0], *new)]


def test_a_call_answered_after_its_time_was_up_goes_at_the_next_pruning(
    opened: Open, fill: Callable[..., list[Opened]], result: Result
) -> None:
    ledger = opened(keep=2)
    late, *_ = fill(ledger, 5, 1)
    assert ledger.prune() == 3
    ledger.record((), (), [(late.number, result(1))])
    assert ledger.prune() == 1
    assert len(numbers(ledger)) == 2


def test_pruning_now_and_then_doesnt_look_at_the_same_open_calls_again(
    opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(keep=100)
    ledger.record([call(ledger) for _ in range(500)])
    calls = [call(ledger) for _ in range(900)]
    ledger.record(calls, (), [(one.number, result(1)) for one in calls])
    write = ledger._store.write
    assert write(lambda file: prune(file, 100, None, 0)) == (800, 1_300)
    assert write(lambda file: prune(file, 100, None, 1_300)) == (0, 1_300)


def test_a_young_answer_to_an_old_call_stays(
    opened: Open, call: Call, result: Result
) -> None:
    now = [1_800_000_000.0]
    ledger = opened(keep=None, keep_for=timedelta(days=1), clock=lambda: now[0])
    old, late = call(ledger), call(ledger)
    ledger.record([old, late], (), [(old.number, result(1))])
    now[0] += 86_401
    ledger.record([call(ledger)], (), [(late.number, result(1))])
    assert ledger.prune() == 1
    now[0] += 86_401
    assert ledger.prune() == 1


def test_a_ledger_without_limits_keeps_everything(
    opened: Open, fill: Callable[..., list[Opened]]
) -> None:
    ledger = opened(keep=None)
    fill(ledger, 5, 0)
    assert ledger.prune() == 0
    assert len(numbers(ledger)) == 5


def test_more_than_one_transactions_worth_goes_too(
    opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(keep=1, clock=lambda: 1.0)
    calls = [call(ledger) for _ in range(2_500)]
    ledger.record(calls)
    ledger.record((), (), [(one.number, result(1)) for one in calls[:900]])
    ledger.record((), (), [(one.number, result(1)) for one in calls[900:]])
    pruned_already = 2_500 - len(numbers(ledger))
    assert pruned_already == 1_000
    assert ledger.prune() == 1_499
    assert numbers(ledger) == [calls[-1].number]


def test_a_busy_ledger_prunes_itself_now_and_then(
    said: Any, opened: Open, call: Call, result: Result, clock: Callable[[], float]
) -> None:
    ledger = opened(keep=100, clock=clock)
    most = 0
    for _ in range(60):
        calls = [call(ledger) for _ in range(100)]
        ledger.record(calls, (), [(one.number, result(1)) for one in calls])
        (rows,) = said(ledger, "SELECT count(*) FROM calls")
        most = max(most, rows)
    assert most <= 100 + 1_000 + 100


def test_pruning_that_cannot_be_done_takes_no_answer_along(
    opened: Open, call: Call, result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise LedgerError("full", "no room to prune")

    monkeypatch.setattr("toolroute.runtime._sqlite.prune", full)
    ledger = opened(keep=0)
    calls = [call(ledger) for _ in range(1_000)]
    ledger.record(calls, (), [(one.number, result(1)) for one in calls])
    assert len(numbers(ledger)) == 1_000
    with pytest.raises(LedgerError, match="no room to prune"):
        ledger.prune()
