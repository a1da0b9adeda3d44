"""The quick look at one flat message; whatever it isn't sure of is read whole."""

from collections.abc import Sequence
from typing import Any, Literal

from toolroute.transcript._json import DICT, LIST
from toolroute.transcript._wire import DOUBT, Peek
from toolroute.transcript.formats._langchain_calls import BLOCKS


def peek(message: Any) -> Peek:
    """As in `Wire.peek`; raises what a message raises that has another shape."""
    kind, content = message["type"], message["content"]
    blocks: Sequence[Any] = ()
    if type(content) is not str:
        if type(content) is not LIST:
            return DOUBT
        blocks = content
    if kind == "ai":
        return _calls(message, blocks)
    if kind == "tool":
        call_id = message["tool_call_id"]
        good = type(call_id) is str and type(message.get("name", "")) is str
        return call_id if good else DOUBT
    plain = kind == "human" or kind == "system"  # noqa: PLR1714  (for speed)
    return None if plain and not (blocks and any(map(_holds_result, blocks))) else DOUBT


def _holds_result(block: Any) -> bool:
    return type(block) is DICT and block.get("type") == "tool_result"


def _calls(message: Any, blocks: Sequence[Any]) -> Peek:
    calls, extra = message.get("tool_calls"), message.get("additional_kwargs")
    if extra and (type(extra) is not DICT or "tool_calls" in extra):
        return DOUBT
    if calls is not None and type(calls) is not LIST:
        return DOUBT
    invalid = message.get("invalid_tool_calls")
    if invalid is not None and (invalid or type(invalid) is not LIST):
        return DOUBT
    ids = _ids(calls) if calls else None
    if blocks and not all(_is_known(block, ids or ()) for block in blocks):
        return DOUBT
    return ids


def _ids(calls: list[Any]) -> list[str] | Literal[False]:
    ids: list[str] = []
    for call in calls:
        call_id = call["id"]
        if type(call_id) is not str or type(call["name"]) is not str:
            return DOUBT
        ids.append(call_id)
    return ids


def _is_known(block: Any, ids: Sequence[str]) -> bool:
    """Whether a block is no call, or one of those in `tool_calls`."""
    if type(block) is not DICT:
        return type(block) is str
    kind = block["type"]
    if kind not in BLOCKS:
        return True
    return block[BLOCKS[kind][0]] in ids and type(block.get("name", "")) is str
