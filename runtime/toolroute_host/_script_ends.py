"""Scripts in the background, kept: how each ended, and what it had printed by then.

A script that runs is its host process's. When that is gone and the end isn't here,
nobody saw it: what is here is what was kept last.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from toolroute_host._script_process import Ended
from toolroute_host.store import Store

__all__ = ["ScriptEnds", "ScriptRow", "State"]

MOST: Final = 50
"""Scripts of one owner that are kept, besides those that run."""

LEAD: Final = "script_"
LONGEST_NUMBER: Final = 18
"""Digits that SQLite can hold."""

State: TypeAlias = Literal["running", "ended", "cancelled"]


@final
@dataclass(frozen=True, slots=True)
class ScriptRow:
    """One script as it's kept; `lost` when its host is gone without a word of it."""

    state: State
    ended: Ended
    lost: bool = False


@final
class ScriptEnds:
    """The scripts of a store, by name. A name is one script's for ever."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, owner: str) -> str:
        """Note one that begins, and give its name."""
        with self._store.change() as db:
            number = db.execute(
                "INSERT INTO scripts (owner, host, state, output) "
                "VALUES (?, ?, 'running', '')",
                (owner, self._store.owner),
            ).lastrowid
            db.execute(
                "DELETE FROM scripts WHERE owner = ? AND state != 'running' AND id <= "
                "(SELECT id FROM scripts WHERE owner = ? ORDER BY id DESC "
                "LIMIT 1 OFFSET ?)",
                (owner, owner, MOST),
            )
        return f"{LEAD}{number}"

    def keep(self, name: str, state: State, ended: Ended) -> None:
        """Keep how far it is, or how it ended."""
        with self._store.change() as db:
            db.execute(
                "UPDATE scripts SET state = ?, output = ?, error = ? WHERE id = ?",
                (state, ended.output, ended.error, _number(name)),
            )

    def find(self, name: str, owner: str) -> ScriptRow | None:
        """The script of that name, when it's this owner's."""
        rows = self._store.read(
            "SELECT host, state, output, error FROM scripts WHERE id = ? AND owner = ?",
            _number(name),
            owner,
        )
        for host, state, output, error in rows:
            lost = state == "running" and self._store.gone(host)
            return ScriptRow(state, Ended(output, error), lost)
        return None


def _number(name: str) -> int | None:
    digits = name.removeprefix(LEAD)
    if name == digits or not digits.isascii() or not digits.isdigit():
        return None
    return int(digits) if len(digits) <= LONGEST_NUMBER else None
