"""Runs one test after the other, each in a fork of a process that has started before.

Reads a line of JSON for each (a folder to import from, a test), and writes pytest's
exit status and what it said. Each fork is a process group, which ends with its test,
whatever the test started; and when nobody waits for it any more, since the input ended.
"""

import contextlib
import gc
import importlib
import io
import json
import os
import select
import signal
import sys
import traceback
from typing import TextIO

import pytest

LOADED = (
    *("asyncio", "concurrent.futures", "gzip", "hypothesis.strategies", "json"),
    *("logging.config", "pdb", "secrets", "sqlite3", "tomllib"),
    *("unittest.mock", "xml.etree.ElementTree", "zoneinfo"),
)
"""What is nobody's under test, and what each would have to load."""
for name in LOADED:
    importlib.import_module(name)
gc.freeze()  # so that a test's collections don't look at it, or touch its pages

SECONDS = 90  # longer than any test waits for what it started
FOR_EVER = 100
"""The exit status told for a test that didn't end."""
RAISED = 101
"""The one told when pytest raised before its tests had ended."""


class Ending:
    """What the tests came to, whatever pytest trips over as it takes itself down."""

    status: int | None = None

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Called by pytest, once the last test has ended."""
        self.status = int(exitstatus)


def _in_child(folder: str, test: str, said: TextIO) -> int:
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    os.environ["PYTHONPATH"] = folder  # what the test itself starts is changed too
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plain = ["-o", "addopts=", "--import-mode=importlib", "--assert=plain"]
    quiet = ["-q", "-x", "--no-header", "--tb=line", "-p", "no:cacheprovider"]
    ending = Ending()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = int(pytest.main([*plain, *quiet, test], [ending]))
        except BaseException:  # noqa: BLE001 -- an unclosed connection is a warning, raised
            traceback.print_exc()
            status = RAISED
    return status if ending.status is None else ending.status


def run(folder: str, test: str) -> tuple[int, str]:
    """pytest's exit status for this test, with packages from this folder; its words."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(reading)
        said = io.StringIO()
        try:
            status = _in_child(folder, test, said)
            with open(writing, "wb") as out:  # noqa: PTH123 -- a descriptor
                out.write(json.dumps([status, said.getvalue()]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.setpgid(child, child)  # whoever comes first
    try:
        words = _heard(reading)
    finally:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    status, text = json.loads(words) if words else (FOR_EVER, "it didn't end")
    return status, text


def _heard(reading: int) -> bytes:
    """What is written until it's closed; nothing when that takes too long."""
    with open(reading, "rb") as heard:
        ready, _, _ = select.select([heard, sys.stdin], [], [], SECONDS)
        if sys.stdin in ready:  # no order comes before the last is answered
            sys.exit("nobody waits for this test any more")
        return heard.read() if ready else b""


def main() -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        print(json.dumps(run(*json.loads(line))), flush=True)  # noqa: T201 -- its answer


if __name__ == "__main__":
    main()
