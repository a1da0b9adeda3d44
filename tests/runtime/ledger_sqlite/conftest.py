import itertools
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import pytest

from toolroute import ToolCall, ToolResult
from toolroute.runtime._answer import Returned, returned
from toolroute.runtime._ledger import Ledger, Opened
from toolroute.runtime._sqlite import SqliteLedger

SERVANT = """
import json, os, sys
from toolroute import ToolCall, ToolResult
from toolroute.runtime._answer import returned
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

def call(ledger, name="open_valve", id="toolu_1"):
    n = ledger.number()
    return Opened(n, str(n), "host", "host", None, None, None, None, 0,
                  ToolCall(id, name))

def kinds(entries):
    return [[one.opened.call.name, one.kind] for one in entries]

names = globals()
for line in sys.stdin:
    names["result"] = None
    exec(json.loads(line), names)
    print(json.dumps(names["result"]), flush=True)

for left_open in [one for one in names.values() if isinstance(one, SqliteLedger)]:
    left_open.close()
"""
"""A process that does what it's told, one piece of source after the other."""


FORKS = """
import ctypes, json, os, signal, sys, threading, time
from toolroute import ToolCall, ToolResult
from toolroute.runtime._answer import returned
from toolroute.runtime._ledger import LedgerError, Opened, Wanted
from toolroute.runtime._sqlite import SqliteLedger

path = sys.argv[1]

def die_with_parent(how=signal.SIGKILL):
    "Where the system has a way to; 0 is to live on."
    getattr(ctypes.CDLL(None), "prctl", max)(1, how)

die_with_parent()
os.register_at_fork(after_in_child=die_with_parent)

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
"""What a script that forks begins with."""


class Process:
    """Another process; `do` runs source there and gives what it leaves in `result`."""

    def __init__(self, *within: str) -> None:
        self._process = subprocess.Popen(
            [*within, sys.executable, "-W", "error", "-c", SERVANT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def do(self, source: str) -> Any:
        self.tell(source)
        return self.hear()

    def tell(self, source: str) -> None:
        stdin = _of(self._process.stdin)
        stdin.write(json.dumps(source).encode() + b"\n")
        stdin.flush()

    def hear(self) -> Any:
        line = _of(self._process.stdout).readline()
        assert line, "the other process ended instead of answering"
        return json.loads(line)

    def kill(self) -> None:
        self._process.kill()
        self.close()

    def close(self) -> None:
        _of(self._process.stdin).close()
        self._process.wait()
        _of(self._process.stdout).close()


def _of(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


@pytest.fixture
def process() -> Iterator[Callable[..., Process]]:
    """Starts another process, within a command that starts it if one is given."""
    with ExitStack() as running:

        def start(*within: str) -> Process:
            one = Process(*within)
            running.callback(one.close)
            return one

        yield start


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.ledger"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SqliteLedger]]:
    """Opens the file at `path`; what isn't closed by then is, after the test."""
    with ExitStack() as running:

        def again(**settings: Any) -> SqliteLedger:
            return running.enter_context(SqliteLedger(path, **settings))

        yield again


@pytest.fixture
def ledger(opened: Callable[..., SqliteLedger]) -> SqliteLedger:
    return opened()


@pytest.fixture
def call() -> Callable[..., Opened]:
    """Makes a call to be opened on a ledger."""

    def make(
        ledger: Ledger,
        name: str = "open_valve",
        *,
        id: str = "toolu_1",  # noqa: A002
        agent: str | None = "anna",
        turn: str | None = "turn-1",
        place: int = 0,
        input: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> Opened:
        number = ledger.number()
        return Opened(
            number,
            f"{ledger.owner}-{number}",
            "turn",
            "turn",
            agent,
            None,
            turn,
            1,
            place,
            ToolCall(id, name, input or {}),
        )

    return make


@pytest.fixture
def result() -> Callable[[Any], Returned]:
    """The answer that a handler's result makes."""
    return lambda content: returned(ToolResult(content), ends_turn=False)


@pytest.fixture
def clock() -> Callable[[], float]:
    """A second later each time."""
    return itertools.count(1_800_000_000.0).__next__


@pytest.fixture
def run(path: Path) -> Callable[[str], list[str]]:
    """Runs a script in a process of its own, which forks; gives what it prints."""

    def script(source: str) -> list[str]:
        done = subprocess.run(
            [
                *(sys.executable, "-W", "error", "-c"),
                FORKS + textwrap.dedent(source),
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


@pytest.fixture
def said() -> Callable[[SqliteLedger, str], Any]:
    """What a ledger's own connection answers with: one row."""
    return lambda ledger, question: ledger._store.read(
        lambda connection: connection.execute(question).fetchone()
    )
