"""What came of each call, as a table for people."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, final

from toolroute._text import one_line
from toolroute_host import _table
from toolroute_host._calls_file import Planned

HEAD: Final = ("call", "caller", "kind or refusal", "answer")
LONGEST: Final = 2_000
"""Characters of a cell before the table cuts it to its column."""

Outcome: TypeAlias = Literal["answered", "error", "refused"]
COLOURS: Final = {"answered": "32", "error": "31", "refused": "33"}


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """A call with what came of it: its kind or refusal, and the answer."""

    planned: Planned
    outcome: Outcome
    kind: str
    answer: Any


def table(shown: Sequence[Shown], width: int, *, colour: bool) -> Iterator[str]:
    """The lines of the table."""
    rows = [_row(each) for each in shown]
    head, *body = _table.lines(HEAD, rows, width)
    yield _table.GAP.join(head).rstrip()
    for cells, each in zip(body, shown, strict=True):
        if colour:
            cells[2] = f"\x1b[{COLOURS[each.outcome]}m{cells[2]}\x1b[0m"
        yield _table.GAP.join(cells).rstrip()


def summary(shown: Sequence[Shown]) -> str:
    """How many calls there were, and what came of them."""
    count = {
        outcome: sum(each.outcome == outcome for each in shown) for outcome in COLOURS
    }
    return (
        f"{len(shown)} calls: {count['answered']} answered, {count['error']} answered "
        f"with an error, {count['refused']} refused."
    )


def _row(shown: Shown) -> tuple[str, str, str, str]:
    planned = shown.planned
    call = one_line(planned.call.name)
    if planned.call.input:
        call += " " + _json(planned.call.input)
    if planned.without:
        call += f" (without {', '.join(sorted(planned.without))})"
    by = (
        planned.caller if planned.agent is None else f"{planned.caller} {planned.agent}"
    )
    kind = f"refused: {shown.kind}" if shown.outcome == "refused" else shown.kind
    answer = _answer(shown.answer)
    if shown.outcome == "error":
        answer = f"error: {answer}"
    return call, one_line(by), kind, answer


def _answer(answer: Any) -> str:
    """The answer's words: of an error its message, of text itself, else JSON."""
    match answer:
        case {"error": {"message": str(message)}}:
            return _printable(message)
        case str():
            return _printable(answer)
        case _:
            return _json(answer)


def _printable(text: str) -> str:
    """A text that's in words already, with what isn't printable escaped."""
    return "".join(
        each if each.isprintable() else repr(each)[1:-1] for each in text[:LONGEST]
    )


def _json(value: Any) -> str:
    """A value on one line: JSON's own escapes, and more where they leave something."""
    text = json.dumps(value, ensure_ascii=False)[:LONGEST]
    return text if text.isprintable() else json.dumps(value)[:LONGEST]
