"""For whatever needs a POSIX system, before it asks for what only that has."""

import os
from typing import Final

NOT_HERE: Final = (
    "The host runs on Linux and macOS: what keeps its files safe is theirs alone. "
    "Everything else of toolroute runs here too."
)


def see_that_it_runs_here() -> None:
    """Say so, in an `ImportError`, where the host can't run."""
    if os.name != "posix":
        raise ImportError(NOT_HERE)
