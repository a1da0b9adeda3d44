"""A host that forks: the child owns nothing, and the parent goes on."""

from typing import Any


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
    """The parent dies while a child that it forked lives on with all it inherited.

    Also where no process id tells, and the lock alone does.
    """
    assert run(
        """
        from pathlib import Path
        from toolroute.runtime import _sqlite_owner
        _sqlite_owner._PID_NAMESPACE = Path("/there/is/none")
        told, tell = os.pipe()
        host = os.fork()
        if host == 0:
            ledger = SqliteLedger(path)
            ledger.record([call(ledger)])
            child = os.fork()
            if child == 0:
                die_with_parent(0)
                os.write(tell, b"%d\\n" % os.getpid())
            time.sleep(60)
            os._exit(0)
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
