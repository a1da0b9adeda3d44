"""What is kept of a call: within a size, without what a hook takes out."""

import logging
from collections.abc import Callable, Mapping
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
from toolroute.runtime._ledger import LedgerError, Wanted

from .given import Call, Open, Result


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
