"""What is kept of a call: within a size, without what a hook takes out, for a while."""

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from toolroute import Refusal
from toolroute.runtime._answer import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
)
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger
from toolroute.runtime._sqlite_prune import prune

Open = Callable[..., SqliteLedger]
Call = Callable[..., Opened]
Result = Callable[[Any], Answer]


def test_an_answer_over_the_size_is_named_and_only_its_kind_is_kept(
    opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(largest=200)
    one, two = call(ledger), call(ledger)
    ledger.record([one, two])
    unkept = ledger.record(
        (), (), [(one.number, result("x" * 201)), (two.number, result("x" * 20))]
    )
    assert list(unkept) == [one.number]
    assert [(found.kind, found.answer) for found in ledger.find(Wanted())] == [
        ("returned", OutcomeUnknown("open_valve")),
        ("returned", result("x" * 20)),
    ]


def test_a_size_is_that_of_the_kept_text_to_the_byte(
    said: Any, opened: Open, call: Call, result: Result
) -> None:
    with opened() as ledger:
        one = call(ledger)
        ledger.record([one], (), [(one.number, result("ü"))])
        (size,) = said(ledger, "SELECT length(answer) FROM calls")
    for largest, unkept in ((size, []), (size - 1, [1])):
        with opened(largest=largest) as ledger:
            one = call(ledger)
            assert ledger.record([one], (), [(one.number, result("ü"))]) == unkept


def test_an_input_over_the_size_is_not_kept_and_the_call_is(
    opened: Open, call: Call
) -> None:
    ledger = opened(largest=200)
    one = call(ledger, input={"text": "x" * 201})
    ledger.record([one])
    (found,) = ledger.find(Wanted())
    assert found.opened == one._replace(
        call=type(one.call)(one.call.id, one.call.name, {})
    )


def test_an_input_that_is_not_json_is_unkeepable_and_nothing_is_recorded(
    opened: Open, call: Call
) -> None:
    ledger = opened()
    with pytest.raises(LedgerError) as error:
        ledger.record([call(ledger), call(ledger, input={"when": object})])
    assert error.value.kind == "unkeepable"
    assert error.value.text.startswith("The input of open_valve isn't JSON: ")
    assert list(ledger.find(Wanted())) == []


def stars(name: str, part: str, value: Any) -> Any:
    """Hides what is under `pin`, and any words with digits."""
    assert name == "open_valve"
    if isinstance(value, dict):
        return {key: "***" if key == "pin" else value[key] for key in value}
    return f"({part}) ***" if any(map(str.isdigit, str(value))) else value


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (Failed("open_valve", "pin 1234"), Failed("open_valve", "(reason) ***")),
        (Failed("open_valve", "stuck"), Failed("open_valve", "stuck")),
        (
            BadArguments("open_valve", "are 1234"),
            BadArguments("open_valve", "(reason) ***"),
        ),
        (
            Refused(Refusal("no", "TOOL_REFUSED", "no", "1234 is wrong"), marked=True),
            Refused(Refusal("no", "TOOL_REFUSED", "no", "(reason) ***"), marked=True),
        ),
        (NotExecuted("open_valve"), NotExecuted("open_valve")),
    ],
)
def test_a_hook_takes_out_of_an_errors_words_what_it_will(
    opened: Open, call: Call, answer: Answer, kept: Answer
) -> None:
    ledger = opened(redact=stars)
    one = call(ledger)
    ledger.record([one], (), [(one.number, answer)])
    assert [found.answer for found in ledger.find(Wanted())] == [kept]


def test_a_hook_takes_out_of_inputs_and_results_what_it_will_and_changes_no_call(
    path: Path, opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(redact=stars)
    one = call(ledger, input={"pin": "4711", "litres": 3})
    answer = result({"pin": "4711", "open": True})
    ledger.record([one])
    ledger.record((), (), [(one.number, answer)])
    (found,) = ledger.find(Wanted())
    assert found.opened.call.input == {"pin": "***", "litres": 3}
    assert found.answer == result({"pin": "***", "open": True})
    assert one.call.input == {"pin": "4711", "litres": 3}
    assert answer.content == {"pin": "4711", "open": True}
    ledger.close()
    assert b"4711" not in path.read_bytes()


def greedy(_: str, __: str, value: Any) -> Any:
    """Changes what it is shown."""
    value.clear()
    return value


def test_a_hook_that_changes_what_it_is_shown_changes_a_copy(
    opened: Open, call: Call, result: Result
) -> None:
    ledger = opened(redact=greedy)
    one = call(ledger, input={"deep": {"er": 1}})
    answer = result({"deep": 1})
    ledger.record([one], (), [(one.number, answer)])
    assert one.call.input == {"deep": {"er": 1}}
    assert answer == result({"deep": 1})


def broken(_: str, __: str, value: Any) -> Any:
    raise ValueError(f"cannot hide {value}")


def no_json(*_: Any) -> Any:
    return object()


@pytest.mark.parametrize("hook", [broken, no_json])
def test_what_a_hook_could_not_see_to_is_not_kept_at_all(
    path: Path,
    opened: Open,
    call: Call,
    result: Result,
    hook: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ledger = opened(redact=hook)
    one, two = call(ledger, input={"pin": "4711"}), call(ledger)
    with caplog.at_level(logging.WARNING, "toolroute.ledger"):
        ledger.record([one, two])
        unkept = ledger.record(
            (),
            (),
            [(one.number, result("4711")), (two.number, Failed("open_valve", "4711"))],
        )
    assert list(unkept) == [one.number, two.number]
    assert [
        (found.kind, found.opened.call.input, found.answer)
        for found in ledger.find(Wanted())
    ] == [
        ("returned", {}, OutcomeUnknown("open_valve")),
        ("failed", {}, OutcomeUnknown("open_valve")),
    ]
    assert [record.getMessage() for record in caplog.records] == [
        f"the redaction hook raised ValueError for the {part} of open_valve, which "
        "isn't kept"
        for part in ("input", "input", "result", "reason")
    ]
    ledger.close()
    assert b"4711" not in path.read_bytes()


@pytest.mark.parametrize("instead", ["text", [], None, 7])
def test_an_input_that_a_hook_made_no_object_of_is_not_kept(
    opened: Open, call: Call, instead: Any
) -> None:
    ledger = opened(redact=lambda *_: instead)
    ledger.record([call(ledger, input={"pin": "4711"})])
    assert [found.opened.call.input for found in ledger.find(Wanted())] == [{}]


def test_the_words_of_an_error_that_a_hook_made_no_text_of_are_not_kept(
    opened: Open, call: Call
) -> None:
    ledger = opened(redact=lambda *_: {"no": "text"})
    one = call(ledger)
    ledger.record([one], (), [(one.number, Failed("open_valve", "4711"))])
    assert [found.answer for found in ledger.find(Wanted())] == [
        OutcomeUnknown("open_valve")
    ]


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


def test_a_mapping_that_is_no_dict_is_an_input_too(opened: Open, call: Call) -> None:
    class Frozen(Mapping[str, Any]):
        def __getitem__(self, key: str) -> Any:
            return {"litres": 3}[key]

        def __iter__(self) -> Any:
            return iter(["litres"])

        def __len__(self) -> int:
            return 1

    ledger = opened()
    ledger.record([call(ledger, input=Frozen())])
    assert [found.opened.call.input for found in ledger.find(Wanted())] == [
        {"litres": 3}
    ]
