"""A host that is busy, and what its calls are once it is dead."""

from pathlib import Path
from typing import Any

BUSY = """
ledger = SqliteLedger({path!r}, durable={durable!r})
one, two, three = (call(ledger, name) for name in ("waits", "runs", "done"))
ledger.record([one, two, three], [two.number, three.number])
ledger.record((), (), [(three.number, returned(__import__("toolroute").ToolResult(1),
                                               ends_turn=False))])
result = ledger.owner
"""


def busy(path: Path, durable: str = "process") -> str:
    """Source of a host with one call that waits, one that runs and one that's done."""
    return BUSY.format(path=str(path), durable=durable)


def kinds(entries: Any) -> list[tuple[str, str | None]]:
    return [(entry.opened.call.name, entry.kind) for entry in entries]


SETTLED = [("waits", "not_executed"), ("runs", "outcome_unknown")]
