"""What happens around an agent, and whether it wakes for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, final

__all__ = ["CHAT_TAGS", "Event", "Verdict"]

CHAT_TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "chat:addressed": "directed at the agent: a direct message, mention or reply",
        "chat:ambient": "overheard on an open channel; not addressed to the agent",
        "chat:from-agent": "written by another agent",
        "chat:from-human": "written by a person",
    }
)
"""The tags that every channel's messages carry, and what each says."""


@final
@dataclass(frozen=True, slots=True)
class Event:
    """Something that an agent may wake for.

    `kind` is what happened (`message`, `deadline`), `source` the part of the host that
    it comes from, `channel` where it was said, if anywhere.
    """

    kind: str
    source: str
    channel: str | None = None
    content: str = ""
    tags: frozenset[str] = field(default_factory=frozenset[str])


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an agent wakes for an event, and which rule said so, in words."""

    wakes: bool
    why: str
