"""A ledger that can't record."""

from collections.abc import Collection, Sequence

from toolroute.runtime import Answer, Entry, LedgerError, MemoryLedger, Opened, Wanted

FULL = LedgerError("full", "the disk is full")


class Failing:
    """A memory ledger that can't record certain things."""

    def __init__(
        self,
        *kinds: str,
        error: BaseException = FULL,
        names: Collection[str] = (),
        cut: bool = False,
    ) -> None:
        self.real = MemoryLedger()
        self.kinds = kinds
        self.error = error
        self.names = names
        self.cut = cut
        self.owner = self.real.owner
        self.number = self.real.number
        self.recovered: Sequence[Entry] = ()
        self.records = 0

    def record(
        self,
        opened: Sequence[Opened] = (),
        started: Sequence[int] = (),
        answered: Sequence[tuple[int, Answer]] = (),
        /,
    ) -> Collection[int]:
        self.records += 1
        what = {"opened": opened, "started": started, "answered": answered}
        names = {
            entry.opened.call.name
            for entry in self.real.find(Wanted())
            if entry.opened.number in dict(answered)
        }
        if any(what[kind] for kind in self.kinds) and (
            not self.names or names & {*self.names}
        ):
            raise self.error
        self.real.record(opened, started, answered)
        return [number for number, _ in answered] if self.cut else ()

    def find(self, wanted: Wanted, /) -> Sequence[Entry]:
        return self.real.find(wanted)

    def close(self) -> None:
        self.real.close()
