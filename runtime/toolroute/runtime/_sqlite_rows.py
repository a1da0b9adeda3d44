"""Calls as the ledger's rows, and back.

Text that isn't Unicode (a lone surrogate in a name that a model sent) is kept as bytes,
so that it comes back as it was and nothing else looks like it.
"""

import json
from typing import Any, Final, TypeAlias

from toolroute._calls import ToolCall
from toolroute.runtime._answer import OutcomeUnknown, from_text
from toolroute.runtime._ledger import Entry, Opened, Wanted

Value: TypeAlias = str | bytes | int | float | None
Row: TypeAlias = tuple[Any, ...]

INSERT: Final = (
    'INSERT INTO calls (serial, owner, number, "key", road, caller, agent, module, '
    "turn, round, place, id, name, input, opened_at, started_at, answered_at, kind, "
    "answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
NEXT: Final = (
    "SELECT coalesce((SELECT max(serial) FROM calls), 0) + 1, "
    "EXISTS (SELECT 1 FROM owners WHERE owner = ?)"
)
START: Final = (
    "UPDATE calls SET started_at = ? "
    "WHERE serial = ? AND kind IS NULL AND started_at IS NULL"
)
ANSWER: Final = (
    "UPDATE calls SET answered_at = ?, kind = ?, answer = ? "
    "WHERE serial = ? AND kind IS NULL"
)
SELECT: Final = (
    'SELECT serial, owner, number, "key", road, caller, agent, module, turn, round, '
    "place, id, name, input, started_at, kind, answer FROM calls"
)

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
    return (
        number,
        text(key),
        road,
        text(caller),
        None if agent is None else text(agent),
        None if module is None else text(module),
        None if turn is None else text(turn),
        round_,
        place,
        text(call.id),
        text(call.name),
        kept_input,
    )


def entry(row: Row) -> Entry:
    """What `SELECT` gave; ValueError where no ledger of ours wrote it."""
    _, owner, number, *words, round_, place, id_, name, kept, began, kind, answer = row
    key, road, caller, agent, module, turn = map(_words, words)
    call = ToolCall(_words(id_), _words(name), json.loads(kept) if kept else {})
    opened = Opened(number, key, road, caller, agent, module, turn, round_, place, call)
    if kind is None:
        return Entry(opened, owner, began is not None, None, None)
    known = OutcomeUnknown(call.name) if answer is None else from_text(answer)
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
