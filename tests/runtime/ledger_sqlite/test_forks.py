"""A host that forks: the child owns nothing, and the parent goes on."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

BEFORE = """
import json, os, signal, sys, threading, time
from toolroute import ToolCall, ToolResult
from toolroute.runtime._answer import returned
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

path = sys.argv[1]

def call(ledger):
    n = ledger.number()
    return Opened(n, str(n), "host", "host", None, None, None, None, 0,
                  ToolCall("", "open_valve"))

def kinds(entries):
    return [entry.kind for entry in entries]

def in_child(work):
    "Fork, do `work` in the child, and give what it returned."
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException as error:
            os.write(writing, json.dumps(repr(error)).encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as answer:
        said = json.load(answer)
    os.waitpid(pid, 0)
    return said

def refusal(work):
    try:
        work()
    except LedgerError as error:
        return error.kind
    return "nothing"
"""


@pytest.fixture
def run(path: Path) -> Any:
    """Runs a script in a process of its own, which forks; gives what it prints."""

    def script(source: str) -> list[str]:
        done = subprocess.run(
            [
                *(sys.executable, "-W", "error", "-c"),
                BEFORE + textwrap.dedent(source),
                str(path),
            ],
            capture_output=True,
            text=True,
            timeout=40,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout.splitlines()

    return script


def test_a_child_cannot_record_in_its_parents_name(run: Any) -> None:
    assert run(
        """
        ledger = SqliteLedger(path)
        one = call(ledger)
        ledger.record([one])
        print(in_child(lambda: [
            refusal(lambda: ledger.record((), [one.number])),
            refusal(lambda: ledger.find(Wanted())),
            refusal(ledger.close),
            refusal(ledger.record),
        ]))
        ledger.record((), [one.number])
        print([entry.state for entry in ledger.find(Wanted())])
        ledger.close()
        """
    ) == ["['forked', 'forked', 'nothing', 'forked']", "['started']"]


def test_a_child_is_an_owner_of_its_own_and_its_parent_stays_alive_to_it(
    run: Any,
) -> None:
    assert run(
        """
        ledger = SqliteLedger(path)
        ledger.record([call(ledger)])
        def child():
            with SqliteLedger(path) as own:
                one = call(own)
                own.record([one], [one.number])
                return [kinds(own.recovered), own.owner != ledger.owner]
        print(in_child(child))
        other = SqliteLedger(path)
        print(kinds(other.recovered), len(ledger.find(Wanted(state="open"))))
        other.close()
        ledger.close()
        """
    ) == ["[[], True]", "['outcome_unknown'] 1"]


def test_a_childs_life_keeps_no_dead_parent_alive(run: Any) -> None:
    """The parent dies while a child that it forked lives on with all it inherited."""
    assert run(
        """
        told, tell = os.pipe()
        host = os.fork()
        if host == 0:
            ledger = SqliteLedger(path)
            ledger.record([call(ledger)])
            child = os.fork()
            if child == 0:
                os.write(tell, b"%d\\n" % os.getpid())
                time.sleep(60)
            time.sleep(60)
        with open(told, closefd=False) as children:
            child = int(children.readline())
        os.kill(host, signal.SIGKILL)
        os.waitpid(host, 0)
        os.kill(child, 0)
        with SqliteLedger(path) as ledger:
            print(kinds(ledger.recovered))
        os.kill(child, signal.SIGKILL)
        """
    ) == ["['not_executed']"]


def test_a_childs_end_takes_no_lock_of_its_parents_away(run: Any) -> None:
    assert run(
        """
        ledger = SqliteLedger(path)
        ledger.record([call(ledger)])
        in_child(ledger.close)
        in_child(ledger.__del__)
        in_child(lambda: None)
        def opener():
            with SqliteLedger(path) as other:
                return kinds(other.recovered)
        print(in_child(opener), os.path.exists(f"{path}-owner-{ledger.owner}"))
        ledger.close()
        """
    ) == ["[] True"]


def test_a_fork_amid_writing_threads_loses_nothing_and_deadlocks_nobody(
    run: Any,
) -> None:
    assert run(
        """
        ledger, stop, recorded = SqliteLedger(path), threading.Event(), []
        def write():
            while not stop.is_set():
                one = call(ledger)
                ledger.record([one], [one.number])
                ledger.record((), (), [
                    (one.number, returned(ToolResult(1), ends_turn=False))])
                recorded.append(one.number)
        writers = [threading.Thread(target=write) for _ in range(3)]
        for one in writers:
            one.start()
        def child():
            with SqliteLedger(path) as own:
                one = call(own)
                own.record([one])
                own.record((), (), [
                    (one.number, returned(ToolResult(2), ends_turn=False))])
                return kinds(own.recovered)
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # that a fork has threads
        print([in_child(child) for _ in range(30)] == [[]] * 30)
        stop.set()
        for one in writers:
            one.join()
        own = ledger.find(Wanted(owner=ledger.owner))
        print(sorted(entry.opened.number for entry in own) == sorted(recorded),
              {entry.kind for entry in own}, len(ledger.find(Wanted())) - len(own))
        ledger.close()
        """
    ) == ["True", "True {'returned'} 30"]


def test_a_child_that_opens_the_ledger_loses_nothing_when_its_parent_closes_it(
    run: Any,
) -> None:
    """SQLite keeps to itself which locks a process has, and a fork takes none along."""
    assert run(
        """
        ledger = SqliteLedger(path)
        ledger.record([call(ledger)])
        heard, tell = os.pipe()
        told, answer = os.pipe()
        child = os.fork()
        if child == 0:
            own = SqliteLedger(path)
            own.record([call(own)])
            os.write(answer, b".")
            os.read(heard, 1)
            own.record([call(own)])
            os._exit(0)
        os.read(told, 1)
        ledger.close()
        os.write(tell, b".")
        os.waitpid(child, 0)
        with SqliteLedger(path) as after:
            print(len(after.find(Wanted())))
        """
    ) == ["3"]


def test_a_child_of_a_signals_handler_takes_no_pages_of_its_parents_transaction(
    run: Any,
) -> None:
    """One so large that SQLite writes to the log before the transaction is over."""
    assert run(
        """
        ledger = SqliteLedger(path)
        with ledger._store.reading() as connection:
            connection.execute("PRAGMA cache_size = 5")
        signal.signal(signal.SIGUSR1, lambda *_: in_child(lambda: None))
        calls = [call(ledger) for _ in range(3000)]
        change = ledger._change
        def interrupted(*what):
            os.kill(os.getpid(), signal.SIGUSR1)
            change(*what)
        ledger._change = interrupted
        ledger.record(calls)
        del ledger._change
        print(len(ledger.find(Wanted())))
        with SqliteLedger(path) as other:
            print(len(other.find(Wanted())))
            with other._store.reading() as connection:
                print(connection.execute("PRAGMA integrity_check").fetchall())
        ledger.close()
        """
    ) == ["3000", "3000", "[('ok',)]"]


def test_a_fork_in_a_signals_handler_amid_a_record_leaves_the_record_whole(
    run: Any,
) -> None:
    assert run(
        """
        ledger = SqliteLedger(path)
        heard = []
        def fork(*_):
            heard.append(in_child(lambda: refusal(lambda: ledger.record())))
        signal.signal(signal.SIGUSR1, fork)
        class Interrupting(list):
            "Rows during which the signal comes: in the middle of the transaction."
            def __iter__(self):
                for each in super().__iter__():
                    os.kill(os.getpid(), signal.SIGUSR1)
                    yield each
        change = ledger._change
        def interrupted(connection, statement, rows, calls):
            change(connection, statement, Interrupting(rows), calls)
        ledger._change = interrupted
        one, two = call(ledger), call(ledger)
        ledger.record([one, two])
        ledger.record((), [two.number])
        ledger.record((), [one.number])
        print(heard, [entry.state for entry in ledger.find(Wanted())])
        ledger.close()
        """
    ) == ["['forked', 'forked'] ['started', 'started']"]


def test_a_program_started_by_the_host_inherits_no_lock(run: Any) -> None:
    assert run(
        """
        import subprocess
        host = os.fork()
        if host == 0:
            ledger = SqliteLedger(path)
            ledger.record([call(ledger)])
            os.close(1)
            other = subprocess.Popen(["sleep", "5"])
            os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(host, 0)
        with SqliteLedger(path) as ledger:
            print(kinds(ledger.recovered))
        """
    ) == ["['not_executed']"]
