"""Used from threads, closed twice, never closed, closed amid use."""

import gc
import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from toolroute.runtime._answer import Answer
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

Open = Callable[..., SqliteLedger]
Call = Callable[..., Opened]
Result = Callable[[Any], Answer]


def test_threads_record_side_by_side_and_nothing_is_lost(
    ledger: SqliteLedger, call: Call, result: Result
) -> None:
    def work(thread: int) -> list[int]:
        numbers = []
        for step in range(50):
            one = call(ledger, f"tool_{thread}")
            ledger.record([one], [one.number])
            ledger.record((), (), [(one.number, result([thread, step]))])
            numbers.append(one.number)
        return numbers

    with ThreadPoolExecutor(4) as threads:
        recorded = list(threads.map(work, range(4)))
    for thread, numbers in enumerate(recorded):
        found = ledger.find(Wanted(name=f"tool_{thread}"))
        assert [(one.opened.number, one.answer) for one in found] == [
            (number, result([thread, step])) for step, number in enumerate(numbers)
        ]


def test_an_answer_is_recorded_from_another_thread_than_the_call(
    ledger: SqliteLedger, call: Call, result: Result
) -> None:
    one = call(ledger)
    ledger.record([one], [one.number])
    answer = threading.Thread(
        target=ledger.record, args=((), (), [(one.number, result(1))])
    )
    answer.start()
    answer.join()
    assert [found.answer for found in ledger.find(Wanted())] == [result(1)]


def test_two_processes_write_in_turn_and_nothing_is_lost(
    path: Path, ledger: SqliteLedger, call: Call, process: Callable[..., Any]
) -> None:
    other = process()
    other.do(f"ledger = SqliteLedger({str(path)!r})")
    other.tell("for _ in range(300): ledger.record([call(ledger, 'theirs')])")
    for _ in range(300):
        ledger.record([call(ledger, "ours")])
    other.hear()
    names = [found.opened.call.name for found in ledger.find(Wanted())]
    assert (names.count("ours"), names.count("theirs")) == (300, 300)


def test_closing_twice_is_closing_once_and_what_was_kept_is_there(
    path: Path, ledger: SqliteLedger, call: Call
) -> None:
    ledger.record([call(ledger)])
    ledger.close()
    ledger.close()
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    for use in (
        ledger.record,
        ledger.prune,
        lambda: ledger.find(Wanted()),
    ):
        with pytest.raises(LedgerError) as closed:
            use()
        assert (closed.value.kind, closed.value.text) == (
            "closed",
            f"{path} was closed here. Open the ledger again to record calls.",
        )


def test_closing_while_threads_record_cuts_no_record_in_two(
    path: Path, call: Call
) -> None:
    ledger = SqliteLedger(path)
    recorded: list[int] = []

    def work() -> None:
        while True:
            pair = [call(ledger), call(ledger)]
            try:
                ledger.record(pair)
            except LedgerError:
                return
            recorded.extend(one.number for one in pair)
            if len(recorded) > 200:
                ledger.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with SqliteLedger(path) as again:
        found = [one.opened.number for one in again.recovered]
    assert sorted(found) == sorted(recorded)


def test_a_ledger_that_is_never_closed_says_so_and_gives_up_its_calls(
    path: Path, call: Call
) -> None:
    held = [SqliteLedger(path)]
    held[0].record([call(held[0])])
    with pytest.warns(ResourceWarning, match=f"the ledger {path} was never closed"):
        held.clear()
    with SqliteLedger(path) as again:
        assert [one.kind for one in again.recovered] == ["not_executed"]


def test_an_opening_that_is_refused_leaves_nothing_to_warn_about(path: Path) -> None:
    path.write_bytes(b"no ledger")
    with pytest.raises(LedgerError):
        SqliteLedger(path)
    gc.collect()


def test_a_record_refused_for_one_call_is_refused_for_all_and_can_be_made_again(
    ledger: SqliteLedger, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [call(ledger) for _ in range(3)]
    answer = ledger._answer

    def cut_off(*what: Any) -> None:
        answer(*what)
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "_answer", cut_off)
    with pytest.raises(KeyboardInterrupt):
        ledger.record(calls, [one.number for one in calls])
    monkeypatch.undo()
    assert list(ledger.find(Wanted())) == []
    ledger.record(calls)
    ledger.record((), [calls[2].number])
    assert [one.state for one in ledger.find(Wanted())] == ["open", "open", "started"]


def test_an_interrupt_as_a_record_begins_leaves_nothing_begun(
    ledger: SqliteLedger, path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while SQLite waits for another process is heard as soon as it begins."""
    one = call(ledger)
    ledger.record([one])

    def press(_frame: FrameType, event: str, _what: Any) -> None:
        if event == "c_return" and ledger._store._connection.in_transaction:
            sys.setprofile(None)
            raise KeyboardInterrupt

    def interrupted() -> None:
        sys.setprofile(press)
        with pytest.raises(KeyboardInterrupt):
            ledger.record((), [one.number])

    interrupted()
    with SqliteLedger(path, timeout=0) as other:
        assert [found.state for found in other.find(Wanted())] == ["open"]
    with monkeypatch.context() as as_well:
        as_well.setattr(ledger._store, "_roll_back", lambda _: None)
        interrupted()
    ledger.record((), [one.number])
    assert [found.state for found in ledger.find(Wanted())] == ["started"]


def test_an_answer_whose_record_was_interrupted_at_its_end_is_recorded_again(
    ledger: SqliteLedger, call: Call, result: Result
) -> None:
    calls = [call(ledger) for _ in range(2)]
    ledger.record(calls)
    answers = [(one.number, result(one.number)) for one in calls]
    own = dict(ledger._own)
    ledger.record((), (), answers[:1])
    ledger._own.update(own)  # as if it hadn't come to that
    assert ledger.record((), (), answers) == []
    assert [one.answer for one in ledger.find(Wanted())] == [result(1), result(2)]
    ledger._own.update(own)
    with pytest.raises(LedgerError) as lost:
        ledger.record((), (), [(calls[0].number, result(3)), *answers[1:]])
    assert lost.value.kind == "lost"
    assert [one.answer for one in ledger.find(Wanted())] == [result(1), result(2)]


def test_a_record_amid_a_record_is_refused_and_the_outer_one_is_whole(
    ledger: SqliteLedger, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a signal's handler, in the middle of a transaction."""
    outer, inner = call(ledger), call(ledger)
    answer = ledger._answer
    kinds = []

    def interrupted(*what: Any) -> None:
        monkeypatch.undo()
        with pytest.raises(LedgerError) as refused:
            ledger.record([inner])
        kinds.append(refused.value.kind)
        answer(*what)

    monkeypatch.setattr(ledger, "_answer", interrupted)
    ledger.record([outer])
    assert kinds == ["busy"]
    assert [one.opened for one in ledger.find(Wanted())] == [outer]


def test_a_call_that_was_answered_takes_no_start_and_no_second_answer(
    ledger: SqliteLedger, call: Call, result: Result
) -> None:
    one = call(ledger)
    ledger.record([one], (), [(one.number, result(1))])
    for again in (
        lambda: ledger.record((), [one.number]),
        lambda: ledger.record((), (), [(one.number, result(2))]),
    ):
        with pytest.raises(KeyError):
            again()
    (found,) = ledger.find(Wanted())
    assert (found.started, found.answer) == (False, result(1))


def test_it_is_a_context(path: Path) -> None:
    with SqliteLedger(path) as ledger:
        assert ledger.find(Wanted()) == []
    with pytest.raises(LedgerError):
        ledger.record()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="Linux tells of them")
def test_no_descriptor_is_left_open_by_a_ledger_or_by_one_that_was_refused(
    path: Path, call: Call
) -> None:
    def ours() -> list[str]:
        """Those that lead into the folder; the folder of descriptors is one, too."""
        held = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]  # noqa: PTH208
        return [one for one in held if str(path.parent) in os.path.realpath(one)]

    dead = SqliteLedger(path)
    dead.record([call(dead)])
    dead.close()
    with SqliteLedger(path):
        assert len(ours()) > 1
    other = path.with_name("other")
    for content in (b"x", b"no ledger " * 1_000, path.read_bytes()[:8_192]):
        other.write_bytes(content)
        with pytest.raises(LedgerError):
            SqliteLedger(other)
    with sqlite3.connect(path, isolation_level=None) as busy:
        busy.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError):
            SqliteLedger(path, timeout=0.01)
    busy.close()
    assert ours() == []
