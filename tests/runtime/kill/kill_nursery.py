"""Starts processes cheaply: everything is loaded once, and each is a fork.

It reads a line of JSON for each, answers with a process id, and reaps what it's told
to; what is left when its input ends, it kills. Nothing is open in it that a fork could
inherit but its own two pipes.
"""

import json
import os
import signal
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import kill_host

LONGEST = 30
"""Seconds after which a process that nobody killed ends, so that its test fails."""


def start(order: dict[str, Any]) -> int:
    """Fork, and do in the child what is ordered; the child's id."""
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(order.pop("longest", LONGEST))
    status = 1
    try:
        ledger, trace = Path(order.pop("ledger")), Path(order.pop("trace"))
        if order.pop("do") == "open":
            kill_host.opener(ledger, trace)
        else:
            kill_host.host(ledger, trace, **order)
        status = 0
    except BaseException:  # noqa: BLE001 -- it's reported, and the test fails
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def main() -> None:
    """An order a line, an answer a line."""
    left: set[int] = set()
    try:
        for line in sys.stdin:
            order = json.loads(line)
            if "reap" in order:
                answer = reap(order["reap"])
                left.remove(order["reap"])
            else:
                left.add(answer := start(order))
            print(answer, flush=True)  # noqa: T201 -- the answer's way
    finally:
        for pid in left:
            with suppress(ProcessLookupError):  # reaped, and then interrupted
                os.kill(pid, signal.SIGKILL)
                reap(pid)


def reap(pid: int) -> int:
    """Wait for its end; its exit status, or minus the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    main()
