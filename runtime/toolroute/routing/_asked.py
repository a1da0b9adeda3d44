"""What a host answers when it is asked, held to what the table declares of it.

An answer that isn't one of the declared ones is taken for no answer at all: it raises
`Undeclared`, and the call is refused as one that couldn't be checked.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from toolroute._answers import CHECK_FAILED
from toolroute._calls import Refusal, ToolCall
from toolroute._text import one_line

TargetT = TypeVar("TargetT")


class Undeclared(TypeError):  # noqa: N818 - as in "an undeclared answer"
    """The host answered with something that the table doesn't declare."""


def declared(
    answer: object, ids: Sequence[str], refusals: Mapping[str, Refusal]
) -> Refusal:
    """The refusal that a guard or a lookup answered with, in the table's own terms."""
    if not isinstance(answer, Refusal):
        raise Undeclared(f"a check answered {answer!r}, not a refusal or None")
    if answer.id not in ids:
        raise Undeclared(f"a check refused with {answer.id!r}, not one of {ids!r}")
    words = refusals[answer.id]
    if (answer.code, answer.retry) != (words.code, words.retry):
        raise Undeclared(f"a check refused with {answer!r}, not with {words!r}")
    return answer


def found(
    answer: TargetT | Refusal | None,
    ids: Sequence[str],
    refusals: Mapping[str, Refusal],
) -> TargetT | Refusal | None:
    """What a lookup found: its target, a refusal of its own, or nothing."""
    if answer is None:
        return None
    if isinstance(answer, Refusal):
        return declared(answer, ids, refusals)
    if isinstance(answer, bool) or hasattr(answer, "__await__"):
        raise Undeclared(f"a lookup answered {answer!r}, not a target or None")
    return answer


def unwrapped(answer: object, outer: ToolCall) -> ToolCall | None:
    """The call that `outer` carries, if any, under the id of `outer`."""
    if answer is None:
        return None
    if not isinstance(answer, ToolCall):
        raise Undeclared(f"an unwrap answered {answer!r}, not a call or None")
    if not _is_whole(answer.name, answer.input):
        raise Undeclared("an unwrap answered a call without a name or arguments")
    return ToolCall(outer.id, answer.name, answer.input)


def _is_whole(name: object, arguments: object) -> bool:
    return isinstance(name, str) and isinstance(arguments, Mapping)


def check_failed(name: str) -> Refusal:
    """Of a call that a capability, a guard, a lookup or an unwrap raised on.

    Why it did is the host's to know and not the caller's, so it is logged.
    """
    import logging  # noqa: PLC0415 - most programs never get here

    shown = one_line(name)
    logging.getLogger("toolroute").warning(
        "%s couldn't be checked", shown, exc_info=sys.exception()
    )
    return Refusal(
        _CHECK_FAILED_ID,
        CHECK_FAILED,
        "yes",
        f"{shown} couldn't be checked, so nothing was done.",
    )


_CHECK_FAILED_ID: Final = "check_failed"


def by_id(*refusals: Refusal) -> Mapping[str, Refusal]:
    """Refusals by their ids."""
    return {refusal.id: refusal for refusal in refusals}
