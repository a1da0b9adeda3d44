"""Starts hosts cheaply: everything is loaded once, and each host is a fork.

It reads a line of JSON for each, answers with a process id, and reaps what it's told
to. Nothing is open in it that a fork could inherit but its own two pipes.
"""

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import host_busy

LONGEST = 60
"""Seconds after which a host that nobody killed ends, so that its test fails."""


def start(order: dict[str, Any]) -> int:
    """Fork, and be a busy host in the child; the child's id."""
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(LONGEST)
    try:
        folder, trace = Path(order.pop("folder")), Path(order.pop("trace"))
        host_busy.host(folder, trace, **order)
    except BaseException:  # noqa: BLE001 -- it's reported, and the test fails
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)


def main() -> None:
    """An order a line, an answer a line."""
    for line in sys.stdin:
        order = json.loads(line)
        if "reap" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["reap"], 0)[1])
        else:
            answer = start(order)
        print(answer, flush=True)  # noqa: T201 -- the answer's way


if __name__ == "__main__":
    main()
