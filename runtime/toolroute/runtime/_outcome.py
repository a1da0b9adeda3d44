"""What a handler gave or raised, as the answer that it is."""

import asyncio
from types import CoroutineType
from typing import TypeAlias

from toolroute._calls import ToolError, ToolResult
from toolroute.runtime._answer import Answer, Failed, Returned, own_error, returned
from toolroute.runtime._life import Ending
from toolroute.runtime._tracked import Tracked

Outcome: TypeAlias = tuple[Ending, Answer]

_MOST_REASONS = 3


def gave(call: Tracked, value: object) -> Outcome:
    """The answer in what a handler returned."""
    if isinstance(value, ToolResult):
        try:
            ends = call.turn is not None and _ends_turn(call, value)
            return "returned", returned(value, ends)
        except Exception as error:  # noqa: BLE001 -- content can be anything
            return _failed(call, f"its result isn't JSON: {why(error)}")
    if isinstance(value, CoroutineType):
        value.close()
        return _failed(call, "what it gave was never awaited")
    if value is None:
        return _failed(call, "it gave no result")
    return _failed(call, "what it gave isn't a result")


def raised(call: Tracked, error: BaseException) -> Outcome:
    """The answer in what a handler raised."""
    answer = saying(call.runs, error)
    return "returned" if isinstance(answer, Returned) else "raised", answer


def saying(name: str, error: BaseException) -> Returned | Failed:
    """What an exception answers: its own words if it's a `ToolError`, else failed."""
    if isinstance(error, ToolError):
        try:
            return own_error(error)
        except Exception as reason:  # noqa: BLE001 -- its words can be anything
            return Failed(name, f"its error isn't JSON: {why(reason)}")
    return Failed(name, why(error))


def why(error: BaseException) -> str:
    """What an exception says of itself; of a group, what its first members say."""
    if _is_group(error):
        members: tuple[BaseException, ...] = getattr(error, "exceptions", ())
        more = " …" if len(members) > _MOST_REASONS else ""
        return "; ".join(map(_says, members[:_MOST_REASONS])) + more
    return _says(error)


def _is_group(error: BaseException) -> bool:
    return isinstance(error, BaseExceptionGroup)


def _says(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return "it was cancelled"
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 -- an exception's own words can raise, too
        text = ""
    return text.strip() or "it gave no reason"


def _failed(call: Tracked, reason: str) -> Outcome:
    return "raised", Failed(call.runs, reason)


def _ends_turn(call: Tracked, result: ToolResult) -> bool:
    if result.is_error:
        return False
    if result.ends_turn or (call.route is not None and call.route.ends_turn):
        return True
    return call.scripts is not None and any(one.ends_turn for one in call.scripts)
