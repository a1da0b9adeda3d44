"""What a record withstands, and whether the machine has started anew since it was made.

A `process` owner's last records are in the kernel's memory when it dies, so they're
there for as long as the kernel is. After another start of the machine some of the last
may be gone, and then "never started" is no longer something that anybody saw.
"""

from pathlib import Path
from typing import Final, Literal, TypeAlias

Durable: TypeAlias = Literal["process", "power"]
"""`process`: the process's death; `power`: the machine's, at the price of an fsync."""

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str | None:
    """This start of the machine; `None` where it has no name, which equals no other."""
    try:
        return _BOOT_ID.read_text("utf-8").strip() or None
    except OSError:
        return None


def is_whole(durable: str | None, then: str | None, now: str | None) -> bool:
    """Whether a record is complete that was made in boot `then`, and is read `now`."""
    return durable == "power" or (then is not None and then == now)
