"""Opening settles the calls of the dead, never of the living, and each once."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from toolroute.runtime import _sqlite_boot
from toolroute.runtime._answer import NotExecuted, OutcomeUnknown
from toolroute.runtime._ledger import Entry, LedgerError, Wanted
from toolroute.runtime._sqlite import SqliteLedger

from .busy import SETTLED, busy, kinds
from .given import Call, Open, Result


@pytest.mark.parametrize("durable", ["process", "power"])
def test_what_a_killed_process_left_open_is_settled_by_what_was_recorded(
    path: Path, opened: Open, process: Callable[..., Any], durable: str
) -> None:
    host = process()
    owner = host.do(busy(path, durable))
    host.kill()
    ledger = opened()
    assert kinds(ledger.recovered) == SETTLED
    assert list(ledger.recovered) == [
        entry
        for entry in ledger.find(Wanted(owner=owner))
        if entry.opened.call.name != "done"
    ]
    waits, runs = ledger.recovered
    assert (waits.answer, waits.started) == (NotExecuted("waits"), False)
    assert (runs.answer, runs.started) == (OutcomeUnknown("runs"), True)
    ledger.close()
    assert list(opened().recovered) == []


def test_what_a_living_process_has_open_is_left_to_it(
    path: Path, opened: Open, process: Callable[..., Any]
) -> None:
    host = process()
    owner = host.do(busy(path))
    ledger = opened()
    assert list(ledger.recovered) == []
    open_ = [entry for entry in ledger.find(Wanted(owner=owner)) if entry.kind is None]
    assert kinds(open_) == [("waits", None), ("runs", None)]
    host.do("ledger.record((), [one.number])")
    host.kill()
    ledger.close()
    assert kinds(opened().recovered) == [
        ("waits", "outcome_unknown"),
        ("runs", "outcome_unknown"),
    ]


def test_of_two_that_open_at_once_each_call_of_the_dead_is_settled_by_one(
    path: Path, process: Callable[..., Any]
) -> None:
    source = f"ledger = SqliteLedger({str(path)!r}); result = kinds(ledger.recovered)"
    killed = f"""
import signal
host = os.fork()
if host == 0:
    held = []
    for _ in range(2):
        exec({busy(path)!r}, names)
        held.append(ledger)
    os.kill(os.getpid(), signal.SIGKILL)
os.waitpid(host, 0)
"""
    openers, parent = [process() for _ in range(2)], process()
    for _ in range(10):
        parent.do(killed)
        for one in openers:
            one.tell(source)
        settled = [tuple(each) for one in openers for each in one.hear()]
        assert sorted(settled) == sorted(SETTLED * 2)
        for one in openers:
            one.do("ledger.close()")


def test_two_ledgers_of_one_process_are_two_owners(opened: Open, call: Call) -> None:
    one = opened()
    mine = call(one)
    one.record([mine])
    two = opened()
    assert list(two.recovered) == []
    one.close()
    (settled,) = opened().recovered
    assert settled == Entry(
        mine,
        one.owner,
        False,  # noqa: FBT003
        "not_executed",
        NotExecuted("open_valve"),
    )


def test_a_process_id_that_is_used_again_keeps_no_dead_owner_alive(
    opened: Open, call: Call
) -> None:
    """This very process: the dead owner's process id is that of a living one."""
    first = opened()
    first.record([call(first)])
    first.close()
    assert kinds(opened().recovered) == [("open_valve", "not_executed")]


def test_the_dead_are_settled_in_the_order_of_opening_over_all_owners(
    path: Path, opened: Open, call: Call
) -> None:
    one, two = SqliteLedger(path), SqliteLedger(path)
    for place in range(4):
        ledger = (one, two)[place % 2]
        ledger.record([call(ledger, f"tool_{place}")])
    one.close()
    two.close()
    names = [entry.opened.call.name for entry in opened().recovered]
    assert names == ["tool_0", "tool_1", "tool_2", "tool_3"]


@pytest.mark.parametrize(
    ("durable", "then", "now", "waits"),
    [
        ("process", "boot 1", "boot 1", "not_executed"),
        ("process", "boot 1", "boot 2", "outcome_unknown"),
        ("process", None, None, "outcome_unknown"),
        ("power", "boot 1", "boot 2", "not_executed"),
        ("power", None, None, "not_executed"),
    ],
)
def test_after_another_start_of_the_machine_only_power_knows_what_never_started(
    opened: Open,
    call: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    durable: str,
    then: str | None,
    now: str | None,
    waits: str,
) -> None:
    def boot(name: str | None) -> None:
        boot_id = tmp_path / f"boot-{name}"
        if name is not None:
            boot_id.write_text(f"{name}\n")
        monkeypatch.setattr(_sqlite_boot, "_BOOT_ID", boot_id)

    boot(then)
    before = opened(durable=durable)
    one, two = call(before, "waits"), call(before, "runs")
    before.record([one, two], [two.number])
    before.close()
    boot(now)
    assert kinds(opened().recovered) == [("waits", waits), ("runs", "outcome_unknown")]


def test_power_waits_for_the_disk_and_process_does_not(
    said: Any,
    opened: Open,
) -> None:
    levels = {}
    for durable in ("process", "power"):
        (levels[durable],) = said(opened(durable=durable), "PRAGMA synchronous")
    assert levels == {"process": 1, "power": 2}


def test_what_is_recorded_with_a_lost_call_is_not_recorded_either(
    path: Path, opened: Open, call: Call, result: Result
) -> None:
    ledger = opened()
    one, two = call(ledger), call(ledger)
    ledger.record([one, two], [one.number, two.number])
    with closing(sqlite3.connect(path)) as stranger:
        stranger.execute(
            "UPDATE calls SET kind = 'failed' WHERE number = ?", (two.number,)
        )
        stranger.commit()
    with pytest.raises(LedgerError):
        ledger.record((), (), [(one.number, result(1)), (two.number, result(2))])
    assert [entry.kind for entry in ledger.find(Wanted())] == [None, "failed"]


def test_opening_in_the_middle_of_a_crash_settles_nothing_or_everything(
    path: Path, opened: Open, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened()
    before.record([call(before)])
    before.close()
    monkeypatch.setattr(
        "toolroute.runtime._sqlite_store.take",
        lambda _: (_ for _ in ()).throw(LedgerError("io", "in the middle")),
    )
    with pytest.raises(LedgerError, match="in the middle"):
        SqliteLedger(path)
    monkeypatch.undo()
    assert kinds(opened().recovered) == [("open_valve", "not_executed")]


def test_a_host_that_closes_with_no_call_open_leaves_nothing_to_settle(
    path: Path, opened: Open, call: Call, result: Result
) -> None:
    ledger = opened()
    one = call(ledger)
    ledger.record([one])
    ledger.record((), (), [(one.number, result(1))])
    ledger.close()
    assert list(opened().recovered) == []
    assert path.exists()
