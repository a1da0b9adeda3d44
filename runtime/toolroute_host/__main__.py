"""`python -m toolroute_host [CALLS.jsonl]`: make calls, and print what came of each.

Without a file it makes the calls that ship with the package. Exit status: 0 when every
call was made, whatever its answer; 2 when the file can't be used.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from toolroute_host import _demo, _show
from toolroute_host._calls_file import UnreadableCalls, load
from toolroute_host._demo_host import demo_host

SHIPPED: Final = Path(__file__).parent / "calls.jsonl"
USAGE: Final = "usage: python -m toolroute_host [CALLS.jsonl]"
UNSEEN: Final = (120, 24)
"""Columns and lines where nobody says how large the terminal is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make the calls; gives the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["-h"], ["--help"]):
        print(f"{USAGE}\n\n{__doc__}", end="")
        return 0
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        calls = load(Path(arguments[0]) if arguments else SHIPPED)
    except UnreadableCalls as unreadable:
        print(*unreadable.findings, sep="\n", file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="toolroute-host-") as folder:
        world = demo_host(Path(folder))
        try:
            shown = asyncio.run(_demo.make(calls, world))
        finally:
            world.close()
    print(*_show.table(shown, _width(), colour=_coloured()), sep="\n")
    print(f"\n{_show.summary(shown)}")
    return 0
