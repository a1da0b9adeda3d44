"""Forks by a signal's handler, and signals while a process forks."""

from typing import Any


def test_a_child_of_a_signals_handler_takes_no_pages_of_its_parents_transaction(
    run: Any,
) -> None:
    """One so large that SQLite writes to the log before the transaction is over."""
    assert run(
        """
        ledger = SqliteLedger(path)
        ledger._store.read(lambda file: file.execute("PRAGMA cache_size = 5"))
        signal.signal(signal.SIGUSR1, lambda *_: in_child(lambda: None))
        calls = [call(ledger) for _ in range(3000)]
        start = ledger._start
        def interrupted(*what):
            os.kill(os.getpid(), signal.SIGUSR1)
            start(*what)
        ledger._start = interrupted
        ledger.record(calls)
        del ledger._start
        print(len(ledger.find(Wanted())))
        with SqliteLedger(path) as other:
            print(len(other.find(Wanted())))
            check = "PRAGMA integrity_check"
            print(other._store.read(lambda file: file.execute(check).fetchall()))
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
        start = ledger._start
        def interrupted(connection, now, serials):
            start(connection, now, Interrupting(serials))
        ledger._start = interrupted
        one, two = call(ledger), call(ledger)
        ledger.record([one, two])
        ledger.record((), [two.number])
        ledger.record((), [one.number])
        print(heard, [entry.state for entry in ledger.find(Wanted())])
        ledger.close()
        """
    ) == ["['forked', 'forked'] ['started', 'started']"]


def test_an_interrupt_while_a_fork_waits_for_a_record_is_heard_after_the_fork(
    run: Any,
) -> None:
    """What a handler raises in a fork's hook is lost, and the rest of the hook too."""
    assert run(
        """
        from toolroute.runtime._sqlite_fork import _handlers
        signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored
        ledger, begun = SqliteLedger(path), threading.Event()
        main = threading.main_thread().ident
        def write(_):
            begun.set()
            while sys._current_frames()[main].f_code.co_name != "pause":
                time.sleep(0.001)
            signal.pthread_kill(main, signal.SIGINT)
            deadline = time.monotonic() + 1
            while not _handlers._came and time.monotonic() < deadline:
                time.sleep(0.001)
        def child():
            with SqliteLedger(path) as own:
                own.record([call(own)])
                heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
                return [refusal(ledger.record), heard]
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # that a fork has threads
        threading.Thread(target=ledger._store.write, args=(write,)).start()
        begun.wait()
        told, tell = os.pipe()
        try:
            if os.fork() == 0:
                os.write(tell, json.dumps(child()).encode())
                os._exit(0)
            time.sleep(5)
            os._exit(1)  # and the child with it
        except KeyboardInterrupt:
            print("heard")
        print(os.read(told, 100).decode())
        print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        print(len(ledger.find(Wanted())))
        ledger.close()
        """
    ) == ["heard", '["forked", true]', "True", "1"]


def test_a_signal_that_comes_to_a_child_before_it_runs_is_the_childs(run: Any) -> None:
    assert run(
        """
        from toolroute.runtime import _sqlite_fork
        ledger, heard = SqliteLedger(path), []
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(number, lambda number, _: heard.append(number.real))
        class Signalled:
            "Is paused like a ledger, and gets a signal before the fork and after it."
            def pause(self): os.kill(os.getpid(), signal.SIGUSR1)
            def bequeath(self): os.kill(os.getpid(), signal.SIGUSR2)
            def go_on(self): pass
        one = Signalled()
        _sqlite_fork.watch(one)
        def all_heard():
            for other in threading.enumerate()[1:]:
                other.join()
            return heard
        print(in_child(all_heard) == [signal.SIGUSR2])
        print(all_heard() == [signal.SIGUSR1])
        ledger.close()
        """
    ) == ["True", "True"]
