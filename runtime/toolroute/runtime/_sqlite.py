"""The ledger that outlives its process: one SQLite file."""

import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import count, groupby
from os import PathLike
from sqlite3 import Connection
from typing import Any, Final, Self, TypeAlias, final

from toolroute.runtime._answer import Answer
from toolroute.runtime._ledger import Entry, LedgerError, Opened, Wanted
from toolroute.runtime._sqlite_boot import Durable
from toolroute.runtime._sqlite_errors import seen
from toolroute.runtime._sqlite_keep import Keep, Redact
from toolroute.runtime._sqlite_prune import CHUNK, prune
from toolroute.runtime._sqlite_rows import (
    ANSWER,
    INSERT,
    IS_ANSWERED,
    NEXT,
    START,
    columns,
    entry,
    question,
    runs,
)
from toolroute.runtime._sqlite_store import Store

_End: TypeAlias = tuple[float, str, str | None]


@final
class SqliteLedger:
    """A ledger in one SQLite file, which any number of processes may have open.

    `durable`: what a record withstands, the death of the `process` or of the machine's
    `power`. `timeout`: seconds to wait while another process writes. `largest`: bytes
    of JSON of an input or an answer; what is longer isn't kept. `redact`: sees every
    input, result and error text, and gives what is kept of it. `keep`: how many of the
    newest calls are kept; `keep_for`: how long an answer is; open calls, and the
    newest, always are. Both are seen to now and then, and by `prune`.

    May be used from any thread. Raises `LedgerError`.
    """

    def __init__(  # noqa: PLR0913 — each a setting of its own, all but one by name
        self,
        path: PathLike[str] | str,
        *,
        durable: Durable = "process",
        timeout: float = 5.0,
        largest: int = 1_000_000,
        redact: Redact | None = None,
        keep: int | None = 100_000,
        keep_for: timedelta | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock: Final = clock
        self._keep: Final = Keep(largest, redact)
        self._newest: Final = keep
        self._age: Final = keep_for
        self._own: Final[dict[int, tuple[int, str]]] = {}
        self._since_pruned = self._pruned_to = 0
        self.number: Final = count(1).__next__
        self._store: Final = Store(path, durable, timeout, clock())
        self.owner: Final = self._store.owner
        self.recovered: Final[Sequence[Entry]] = self._store.recovered

    def record(
        self,
        opened: Sequence[Opened] = (),
        started: Sequence[int] = (),
        answered: Sequence[tuple[int, Answer]] = (),
        /,
    ) -> Collection[int]:
        """Keep these in one transaction; gives those whose content wasn't kept."""
        now = self._clock()
        names = {one.number: one.call.name for one in opened}
        ends: dict[int, _End] = {
            number: (now, answer.kind, self._kept(number, answer, names))
            for number, answer in answered
        }
        unkept = [number for number, (_, _, text) in ends.items() if text is None]
        begun = set(started)
        rows = [
            (
                *columns(one, self._keep.input(one.call)),
                now,
                *_rest(now, one.number in begun, ends.get(one.number)),
            )
            for one in opened
        ]
        own = self._own
        starts = [own[n][0] for n in started if n not in names]
        answers = [(*end, own[n][0]) for n, end in ends.items() if n not in names]

        def keep(connection: Connection) -> int:
            first = self._insert(connection, rows)
            self._start(connection, now, starts)
            self._answer(connection, answers)
            return first

        first = self._store.write(keep)
        for serial, (number, name) in enumerate(names.items(), first):
            own[number] = serial, name
        for number in ends:
            del own[number]
        self._prune_now_and_then(len(ends))
        return unkept

    def find(self, wanted: Wanted, /) -> Sequence[Entry]:
        """The calls on record that are all of this, oldest first."""
        statement, values = question(wanted)
        return self._store.read(
            lambda connection: list(map(entry, connection.execute(statement, values)))
        )

    def prune(self) -> int:
        """Drop the answered calls that are too many or too old; how many they were."""
        self._pruned_to = 0
        dropped = 0
        while True:
            now = self._prune_some()
            dropped += now
            if now < CHUNK:
                return dropped

    def close(self) -> None:
        """Give up the ledger. A call left open is a dead owner's from here on."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        store: Store | None = getattr(self, "_store", None)  # none where opening raised
        if store is not None and store.open:
            text = f"the ledger {store.path} was never closed"
            warnings.warn(text, ResourceWarning, stacklevel=1, source=self)
            store.close()

    def _kept(
        self, number: int, answer: Answer, fresh: Mapping[int, str]
    ) -> str | None:
        name = fresh[number] if number in fresh else self._own[number][1]
        return self._keep.answer(name, answer)

    def _insert(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> int:
        """The first one's serial; the others' follow."""
        if not rows:
            return 0
        first, known = connection.execute(NEXT, (self.owner,)).fetchone()
        if not known:
            raise seen("lost", self._store.path)
        owned = [(serial, self.owner, *row) for serial, row in enumerate(rows, first)]
        for length, alike in groupby(owned, len):
            connection.executemany(INSERT[length], alike)
        return int(first)

    def _start(self, connection: Connection, now: float, serials: list[int]) -> None:
        """All of them, or it's none."""
        if not serials:
            return
        rows = [(now, *run) for run in runs(serials)]
        if connection.executemany(START, rows).rowcount != len(serials):
            raise seen("lost", self._store.path)

    def _answer(self, connection: Connection, rows: list[tuple[Any, ...]]) -> None:
        """All of them, or it's none; those that an interrupted record kept are kept."""
        if not rows or connection.executemany(ANSWER, rows).rowcount == len(rows):
            return
        for _, *answer in rows:
            if connection.execute(IS_ANSWERED, answer).fetchone() != (1,):
                raise seen("lost", self._store.path)

    def _prune_now_and_then(self, answered: int) -> None:
        self._since_pruned += answered
        if self._since_pruned >= CHUNK:
            self._since_pruned = 0
            with suppress(LedgerError):  # what was recorded is; this can wait
                self._prune_some()

    def _prune_some(self) -> int:
        before = (
            None if self._age is None else self._clock() - self._age.total_seconds()
        )
        after = self._pruned_to
        dropped, self._pruned_to = self._store.write(
            lambda connection: prune(connection, self._newest, before, after)
        )
        return dropped


def _rest(now: float, started: bool, end: _End | None) -> tuple[Any, ...]:  # noqa: FBT001
    """What stands in a row behind `opened_at`, as far as there is something."""
    if end is not None:
        return now if started else None, *end
    return (now,) if started else ()
