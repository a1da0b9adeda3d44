"""Calls as the ledger's rows, and back.

Text that isn't Unicode (a lone surrogate in a name that a model sent) is kept as bytes,
so that it comes back as it was and nothing else looks like it.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, get_args

from toolroute._calls import Road, ToolCall
from toolroute.runtime._answer import AnswerKind, OutcomeUnknown, from_text
from toolroute.runtime._ledger import Entry, Opened, Wanted

Value: TypeAlias = str | bytes | int | float | None
Row: TypeAlias = tuple[Any, ...]

_COLUMNS: Final = (
    *("serial", "owner", "number", '"key"', "road", "caller", "agent", "module"),
    *("turn", "round", "place", "id", "name", "input", "opened_at"),
    *("started_at", "answered_at", "kind", "answer"),
)
_OPENED: Final = _COLUMNS.index("opened_at") + 1

INSERT: Final = {
    length: (
        f"INSERT INTO calls ({', '.join(_COLUMNS[:length])}) "  # noqa: S608 -- ours
        f"VALUES ({', '.join('?' * length)})"
    )
    for length in range(_OPENED, len(_COLUMNS) + 1)
}
"""For a row of so many of the columns: a value that isn't bound costs nothing."""

NEXT: Final = (
    "SELECT coalesce((SELECT max(serial) FROM calls), 0) + 1, "
    "EXISTS (SELECT 1 FROM owners WHERE owner = ?)"
)
START: Final = (
    "UPDATE calls SET started_at = ? WHERE serial BETWEEN ? AND ? "
    "AND kind IS NULL AND started_at IS NULL"
)
ANSWER: Final = (
    "UPDATE calls SET answered_at = ?, kind = ?, answer = ? "
    "WHERE serial = ? AND kind IS NULL"
)
IS_ANSWERED: Final = (
    "SELECT count(*) FROM calls WHERE kind = ? AND answer IS ? AND serial = ?"
)
SELECT: Final = (
    'SELECT serial, owner, number, "key", road, caller, agent, module, turn, round, '
    "place, id, name, input, started_at, kind, answer FROM calls"
)

_ROADS: Final = frozenset(get_args(Road))
_KINDS: Final = frozenset(get_args(AnswerKind))
_STATES: Final = {
    "open": "kind IS NULL AND started_at IS NULL",
    "started": "kind IS NULL AND started_at IS NOT NULL",
    "answered": "kind IS NOT NULL",
}


def text(value: str) -> str | bytes:
    """`value` as SQLite keeps it."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
    return value


def columns(opened: Opened, kept_input: str | None) -> tuple[Value, ...]:
    """The columns from `number` to `input`."""
    number, key, road, caller, agent, module, turn, round_, place, call = opened
    words = (key, caller, agent, module, turn, call.id, call.name)
    if "".join(filter(None, words)).isascii():  # which most are; asked all at once
        first = (number, key, road, caller, agent, module, turn, round_, place)
        return (*first, call.id, call.name, kept_input)
    kept = [None if word is None else text(word) for word in words]
    return (number, kept[0], road, *kept[1:5], round_, place, *kept[5:], kept_input)


def runs(serials: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Serials that follow each other, as first and last: calls start side by side."""
    first = last = None
    for serial in sorted(serials):
        if first is None or last is None or serial != last + 1:
            if first is not None and last is not None:
                yield first, last
            first = serial
        last = serial
    if first is not None and last is not None:
        yield first, last


def entry(row: Row) -> Entry:
    """What `SELECT` gave; ValueError where no ledger of ours wrote it."""
    _, owner, number, *words, round_, place, id_, name, kept, began, kind, answer = row
    key, road, caller, agent, module, turn = map(_words, words)
    if road not in _ROADS:
        raise ValueError(road)
    call = ToolCall(_words(id_), _words(name), json.loads(kept) if kept else {})
    opened = Opened(number, key, road, caller, agent, module, turn, round_, place, call)
    if kind is None:
        return Entry(opened, owner, began is not None, None, None)
    known = OutcomeUnknown(call.name) if answer is None else from_text(answer)
    if kind not in _KINDS or (answer is not None and known.kind != kind):
        raise ValueError(kind)
    return Entry(opened, owner, began is not None, kind, known)


def question(wanted: Wanted) -> tuple[str, list[Value]]:
    """The statement that finds `wanted`, oldest first, and its values."""
    conditions = [_STATES[wanted.state]] if wanted.state else []
    values: list[Value] = []
    for column in ("agent", "turn", "id", "name", "owner"):
        value: str | None = getattr(wanted, column)
        if value is not None:
            conditions.append(f"{column} = ?")
            values.append(text(value))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"{SELECT}{where} ORDER BY serial", values


def _words(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogatepass")
    return value
