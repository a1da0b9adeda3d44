"""Where an agent's plain text goes, and the reference of it that `prose_help` gives.

The reference and the routing stand in one file, and a test holds them together.
"""

import re
from dataclasses import dataclass
from typing import Final, final

from toolroute import ToolResult

__all__ = ["HELP", "Said", "prose_help", "segments"]

ADDRESS: Final = re.compile(r"^>>([A-Za-z0-9_.:-]{1,128})$")
HELP: Final = """\
How plain text is routed

Text that you write outside of tool calls is prose.
1. A line that holds `>>` and a channel's name, and nothing else (`>>lobby`), addresses
   the lines after it to that channel, up to the next such line.
2. Lines before any such line are unaddressed. They go to the channel that your turn
   came from, unless explicit prose is on for you: then they stay private.
3. A conversation fork's prose goes to its home channel, whatever it is addressed to.
4. Text of spaces and empty lines alone is sent nowhere.
5. `think` and `journal` are never sent anywhere. `skip_reply` ends the turn without a
   reply: unaddressed prose of that turn stays private."""


@final
@dataclass(frozen=True, slots=True)
class Said:
    """A piece of prose, and the channel it's for; `None` keeps it private."""

    channel: str | None
    text: str


def segments(prose: str, *, origin: str | None, home: str | None) -> list[Said]:
    """The prose in pieces, as the reference says; `origin` takes what's unaddressed."""
    pieces: list[tuple[str | None, list[str]]] = [(origin, [])]
    for line in prose.split("\n"):
        address = ADDRESS.match(line)
        if address:
            pieces.append((address[1], []))
        else:
            pieces[-1][1].append(line)
    said = [(channel, "\n".join(lines).strip()) for channel, lines in pieces]
    return [Said(home or channel, text) for channel, text in said if text]


def prose_help() -> ToolResult:
    """Answer `prose_help`, whoever asks."""
    return ToolResult(HELP)
