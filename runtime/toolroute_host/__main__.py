"""`python -m toolroute_host [CALLS.jsonl]`: make calls, and print what came of each.

Without a file it makes the calls that ship with the package. Exit status: 0 when every
call was made, whatever its answer; 2 when the file can't be used.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from toolroute_host._system import see_that_it_runs_here

try:
    see_that_it_runs_here()
except ImportError as elsewhere:
    sys.stderr.write(f"{elsewhere}\n")
    raise SystemExit(2) from None

from toolroute_host import _demo, _demo_host, _show
from toolroute_host._calls_file import Planned, UnreadableCalls, load
from toolroute_host.world import World

SHIPPED: Final = Path(__file__).parent / "calls.jsonl"
USAGE: Final = "usage: python -m toolroute_host [CALLS.jsonl]"
UNSEEN: Final = (120, 24)
"""Columns and lines where nobody says how large the terminal is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make the calls; gives the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(f"{USAGE}\n\n{__doc__}")
        return 0
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        calls = load(Path(arguments[0]) if arguments else SHIPPED, _demo_host.NAMES)
    except UnreadableCalls as unreadable:
        sys.stderr.writelines(f"{finding}\n" for finding in unreadable.findings)
        return 2
    with TemporaryDirectory(prefix="toolroute-host-") as folder:
        world = _demo_host.demo_host(Path(folder))
        try:
            shown = asyncio.run(_made(calls, world))
        finally:
            world.close()
    lines = _show.table(shown, _width(), colour=coloured())
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(f"\n{_show.summary(shown)}\n")
    return 0


async def _made(calls: Sequence[Planned], world: World) -> list[_show.Shown]:
    """Make the calls with all that the host has around it, where that's installed."""
    try:
        from toolroute_host._demo_around import around  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        sys.stderr.write(
            f"The package {missing.name} isn't installed, so there is no tool server "
            "over MCP and nothing to fetch. Install toolroute[host] for both.\n"
        )
        return await _demo.make(calls, world)
    async with around(world, _demo_host.DOT):
        return await _demo.make(calls, world)


def _width() -> int:
    return shutil.get_terminal_size(UNSEEN).columns


def coloured() -> bool:
    """On a terminal that takes colour, unless NO_COLOR says otherwise."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


if __name__ == "__main__":
    sys.exit(main())
