"""A format is one file: nothing else knows it, and all of settling works with it."""

from pathlib import Path
from typing import Any

import pytest

from toolroute import outcome_unknown
from toolroute.transcript import Growing, NotATranscript, check, detect, formats, settle
from toolroute.transcript._wire import as_text


@pytest.fixture(autouse=True)
def _tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(Path(__file__).parent / "tenth")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, folder])


def lines(*found: list[str]) -> list[Any]:
    return [{"line": line} for line in found]


UNKNOWN = as_text(outcome_unknown("read"))


def test_it_is_detected_checked_and_settled() -> None:
    messages = lines(
        ["say", "Read."],
        ["ask", "a", "read"],
        ["say", "Stop."],
        ["ask", "b", "read"],
        ["say", "Hm."],
        ["tell", "b", "31%"],
        ["tell", "gone", "30%"],
    )
    assert detect(messages) == "lines"
    assert [(v.kind, v.message) for v in check(messages)] == [
        ("unanswered_call", 1),
        ("misplaced_result", 5),
        ("orphan_result", 6),
    ]
    assert settle(messages).messages == lines(
        ["say", "Read."],
        ["ask", "a", "read"],
        ["tell", "a", UNKNOWN],
        ["say", "Stop."],
        ["ask", "b", "read"],
        ["tell", "b", "31%"],
        ["say", "Hm."],
        ["say", "30%"],
    )


def test_it_grows_and_is_refused_like_the_others() -> None:
    talk = Growing("lines", lines(["say", "Read."], ["ask", "a", "read"]))
    assert talk.settle().messages[2:] == lines(["tell", "a", UNKNOWN])
    with pytest.raises(NotATranscript):
        check(lines(["shout", "Read."]), "lines")
