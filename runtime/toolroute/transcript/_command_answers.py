"""`--answer ID=FILE`: a call's real result, from a file."""

from collections.abc import Sequence
from typing import Any, final

from toolroute._calls import ToolResult
from toolroute._text import one_line
from toolroute.transcript._command_files import STANDARD, Unusable, read, shown
from toolroute.transcript._command_json import Misread, parse
from toolroute.transcript._evidence import Known, OpenCall


@final
class GivenAnswers:
    """Evidence: the answers that were given, and which of them were asked for."""

    def __init__(self, by_id: dict[str, ToolResult]) -> None:
        self._by_id = by_id
        self._used: set[str] = set()
        self._shared: set[str] = set()

    def known(self, call: OpenCall, /) -> Known:
        """The answer for this call's id, if the id tells which call is meant."""
        if call.id is None or call.id not in self._by_id:
            return None
        if not call.unambiguous:
            self._shared.add(call.id)
            return None
        self._used.add(call.id)
        return self._by_id[call.id]

    def unused(self) -> list[str]:
        """A sentence for each answer that no call got."""
        return [
            f"the answer for `{one_line(call_id)}` wasn't used: "
            + (
                "several calls have this id, so it doesn't tell which is meant."
                if call_id in self._shared
                else "no call with this id is without a result."
            )
            for call_id in self._by_id
            if call_id not in self._used
        ]


def read_answers(given: Sequence[str], source: str, largest: int) -> GivenAnswers:
    """Read every `ID=FILE`. Raises `Unusable`."""
    by_id: dict[str, ToolResult] = {}
    for pair in given:
        call_id, equals, name = pair.partition("=")
        if not (call_id and equals and name):
            raise Unusable(
                f"--answer takes ID=FILE, the id of a call and the file that holds its "
                f"result, and not `{one_line(pair)}`."
            )
        if call_id in by_id:
            raise Unusable(f"--answer names `{one_line(call_id)}` twice.")
        if name == STANDARD and source == STANDARD:
            raise Unusable(
                "standard input holds the transcript or an answer, and not both."
            )
        by_id[call_id] = ToolResult(_content(name, largest))
    return GivenAnswers(by_id)


def _content(name: str, largest: int) -> Any:
    """JSON from a file that is called so, otherwise its text, less a last line end."""
    source = read(name, largest)
    text = source.text()
    if not name.lower().endswith(".json"):
        return text.removesuffix("\n").removesuffix("\r")
    try:
        value, _ = parse(text)
    except Misread as misread:
        line = text.count("\n", 0, misread.at) + 1
        raise Unusable(f"{shown(name)}:{line}: {misread.sentence}.") from None
    return value
