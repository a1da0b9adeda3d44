"""What is known of a call besides the transcript: a ledger, or answers given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, final

from toolroute._calls import ToolResult

Known: TypeAlias = ToolResult | Literal["not started"] | None
"""The recorded answer, or that the call was seen never to start, or nothing."""


@final
@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that the transcript holds no real result of.

    `input` is as the wire has it: an object, or text that may not be JSON.
    `unambiguous` says that no other call in the transcript has this id; where it's
    false, an id alone doesn't tell which call is meant.
    """

    id: str | None
    name: str
    input: Any
    message: int
    index: int
    unambiguous: bool


class Evidence(Protocol):
    """Asked for each call without a real result; a ledger is one."""

    def known(self, call: OpenCall, /) -> Known:
        """What is on record of this very call."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Answers:
    """Answers by call id, or by place: (message, which call of it), both from 0.

    An id that two calls share doesn't tell them apart, so its answer isn't used: give
    such answers by place.
    """

    by_id: Mapping[str, Known] = field(default_factory=dict[str, Known])
    by_place: Mapping[tuple[int, int], Known] = field(
        default_factory=dict[tuple[int, int], Known]
    )

    def known(self, call: OpenCall, /) -> Known:
        """The answer given for this call's place, or else for its id."""
        at_place = self.by_place.get((call.message, call.index))
        if at_place is not None or call.id is None or not call.unambiguous:
            return at_place
        return self.by_id.get(call.id)
