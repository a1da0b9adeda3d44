"""A call that couldn't be checked: refused in one line, and logged with its cause."""

import logging

import pytest

from toolroute import Refusal
from toolroute.routing import check_failed


def _fail() -> None:
    raise RuntimeError("the secret cause")


def test_the_caller_is_told_nothing_of_the_cause_and_the_log_all(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, logger="toolroute"):
        try:
            _fail()
        except RuntimeError:
            refusal = check_failed("a\nb")
    assert refusal == Refusal(
        "check_failed",
        "CHECK_FAILED",
        "yes",
        "a\\nb couldn't be checked, so nothing was done.",
    )
    (record,) = caplog.records
    assert record.getMessage() == "a\\nb couldn't be checked"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "the secret cause"
