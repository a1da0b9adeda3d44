"""What a ledger is: opened, started and answered, kept for each call.

Laws, for every ledger:

- `record` is one transaction: all of it is kept, or, when it raises, none of it. What
  it returned from is kept as well as the ledger keeps anything. When it was a signal's
  handler that raised in it (Ctrl-C's does), all of it may have been kept nevertheless,
  and the same answers can be recorded again.
- The runtime records `started` before the handler runs, and the answer before anybody
  gets it. It records each of the three at most once a call, in that order, `opened`
  first; several of them may come in one `record`. A refused call has no `started`.
- A call belongs to the ledger object that opened it (its owner). Numbers are an
  owner's own: they say nothing about another's calls.
- Opening a ledger settles the open calls of owners that are dead, and nobody else's:
  not executed where no `started` is on record, and outcome unknown where there is one,
  or where the last of the record may have gone with the machine's own end.
- All of it is synchronous and short, and is called from one thread, the event loop's.
"""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, final

from toolroute._calls import Road, ToolCall
from toolroute.runtime._answer import Answer, AnswerKind

LedgerErrorKind: TypeAlias = Literal[
    "missing",
    "not-ours",
    "foreign",
    "damaged",
    "read-only",
    "full",
    "busy",
    "locks",
    "newer",
    "in-use",
    "closed",
    "forked",
    "lost",
    "unkeepable",
    "io",
]
"""Why a ledger can't be opened, read or written.

`foreign` is a file that is something else; `newer` one that a later version wrote;
`in-use` one that a living process keeps by an earlier version's rules; `closed` a
ledger that was closed before; `forked` one that a parent process opened; `lost` one
that was taken for dead, and its open calls settled, since its lock file was removed;
`unkeepable` a call or an answer that can't be written down (an input that isn't JSON,
say), where the ledger itself is well.
"""


@final
class LedgerError(Exception):
    """A ledger can't record or be opened: a kind for code, a sentence for people.

    `record` raises nothing else of its own. What raised it isn't recorded, in no part.
    """

    def __init__(self, kind: LedgerErrorKind, text: str) -> None:
        super().__init__(text)
        self.kind: Final = kind
        self.text: Final = text


@final
class Opened(NamedTuple):
    """A call, as it is opened. A tuple, since one is made for every call.

    `key` names this very call, whenever it is tried: it's the owner and the number,
    unless the host named the call, to try it again after a restart, say. So a key can
    be opened twice, and the two are two entries. `round` counts from 1 in its turn,
    `place` from 0 in its round; an awaited call has no round. `caller` is the table's
    word, `road` the runtime's.
    `agent` is who calls, or whom a module names; `module` is which module.
    `call` is as it came, before an unwrap; where its arguments couldn't be read its
    `input` is empty, and the answer says why.
    """

    number: int
    key: str
    road: Road
    caller: str
    agent: str | None
    module: str | None
    turn: str | None
    round: int | None
    place: int
    call: ToolCall


State: TypeAlias = Literal["open", "started", "answered"]


@final
class Entry(NamedTuple):
    """A call, as a ledger has it on record.

    `started` stays true once it is. `kind` is the recorded answer's. `answer` is the
    answer; where the ledger didn't keep its content (over the size cap) it is outcome
    unknown, since that is what the record can say. `owner` is the owner's `owner`.
    """

    opened: Opened
    owner: str
    started: bool
    kind: AnswerKind | None
    answer: Answer | None

    @property
    def state(self) -> State:
        """Where the call is in its life."""
        if self.kind is not None:
            return "answered"
        return "started" if self.started else "open"


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """Which calls to find; what is left out is no condition."""

    agent: str | None = None
    turn: str | None = None
    id: str | None = None
    """The wire's own id, of `opened.call`."""
    name: str | None = None
    state: State | None = None
    owner: str | None = None

    def matches(self, entry: Entry) -> bool:
        """Whether `entry` is all of this."""
        opened = entry.opened
        return (
            self.agent in (None, opened.agent)
            and self.turn in (None, opened.turn)
            and self.id in (None, opened.call.id)
            and self.name in (None, opened.call.name)
            and self.state in (None, entry.state)
            and self.owner in (None, entry.owner)
        )


class Ledger(Protocol):
    """Where calls and their answers are kept.

    `owner` tells this ledger object from every other, now and later.
    """

    @property
    def owner(self) -> str:
        """Who opens calls here; unique for all time, short, and fit for a key."""
        ...

    @property
    def recovered(self) -> Sequence[Entry]:
        """The dead owners' calls that opening this ledger settled, oldest first.

        Each with the answer it was given; the runtime tells its observers of them.
        """
        ...

    def number(self) -> int:
        """A number for a call about to be opened, not given before by this ledger.

        Takes no lock and writes nothing. A number may stay unused.
        """
        ...

    def record(
        self,
        opened: Sequence[Opened] = (),
        started: Sequence[int] = (),
        answered: Sequence[tuple[int, Answer]] = (),
        /,
    ) -> Collection[int]:
        """Keep these, in this order, in one transaction.

        Numbers in `started` and `answered` may be of calls opened in the same `record`.
        Gives the numbers of `answered` whose content wasn't kept, being over the size
        cap; nothing, as a rule. Raises `LedgerError`, and then kept nothing.
        """
        ...

    def find(self, wanted: Wanted, /) -> Sequence[Entry]:
        """The calls on record that are all of this, oldest first."""
        ...

    def close(self) -> None:
        """Give up the ledger; `record` then raises `closed`. Twice is once.

        A call left open counts as a dead owner's from here on.
        """
        ...


@final
class MemoryLedger:
    """A ledger that lasts as long as the process.

    Every open call is kept, and the last `keep` answered ones, so its memory is flat.
    """

    __slots__ = ("_answered", "_closed", "_open", "_started", "number", "owner")

    def __init__(self, *, keep: int = 1_000) -> None:
        self.owner: Final = token_hex(8)
        self.number: Final = count(1).__next__
        self._open: dict[int, Opened] = {}
        self._started: dict[int, Opened] = {}
        self._answered: deque[tuple[Opened, bool, Answer]] = deque(maxlen=keep)
        self._closed = False

    @property
    def recovered(self) -> Sequence[Entry]:
        """Nothing: there was nothing before."""
        return ()

    def record(
        self,
        opened: Sequence[Opened] = (),
        started: Sequence[int] = (),
        answered: Sequence[tuple[int, Answer]] = (),
        /,
    ) -> Collection[int]:
        """Keep these; content is never left out."""
        if self._closed:
            raise LedgerError("closed", "This ledger was closed; open another.")
        for call in opened:
            self._open[call.number] = call
        for number in started:
            self._started[number] = self._open.pop(number)
        for number, answer in answered:
            ran = number in self._started
            call = (self._started if ran else self._open).pop(number)
            self._answered.append((call, ran, answer))
        return ()

    def find(self, wanted: Wanted, /) -> Sequence[Entry]:
        """The calls kept that are all of this, oldest first; looks at every one."""
        found = [entry for entry in self._entries() if wanted.matches(entry)]
        return sorted(found, key=lambda entry: entry.opened.number)

    def close(self) -> None:
        """Take no more; what was kept can still be found."""
        self._closed = True

    def _entries(self) -> Iterator[Entry]:
        for opened, ran, answer in self._answered:
            yield Entry(opened, self.owner, ran, answer.kind, answer)
        for opened in self._open.values():
            yield Entry(opened, self.owner, False, None, None)  # noqa: FBT003
        for opened in self._started.values():
            yield Entry(opened, self.owner, True, None, None)  # noqa: FBT003
