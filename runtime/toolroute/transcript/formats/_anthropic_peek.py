"""The quick look at one Anthropic message."""

from typing import Any, Final

from toolroute.transcript._json import DICT, LIST
from toolroute.transcript._wire import DOUBT, Peek
from toolroute.transcript.formats._anthropic_server import SERVER_CALLS

_ASSISTANTS: Final = {"tool_use", *SERVER_CALLS}


def peek_calls(content: Any) -> Peek:
    if type(content) is not LIST:
        return DOUBT
    calls: list[str] | None = None
    for block in content:
        kind = block["type"]
        if kind == "text":
            continue
        if kind == "tool_use":
            call_id = block["id"]
            if type(call_id) is not str or type(block["name"]) is not str:
                return DOUBT
            if type(block["input"]) is not DICT:
                return DOUBT
            if calls is None:
                calls = [call_id]
            else:
                calls.append(call_id)
        elif type(kind) is not str or kind in SERVER_CALLS or kind.endswith("_result"):
            return _with_server_calls(content)
    return calls


def _with_server_calls(content: list[Any]) -> Peek:
    """The quick look at a message in which the server ran something: all of it done."""
    waiting: set[Any] = set()
    plain: list[Any] = []
    for block in content:
        kind = block.get("type") if type(block) is DICT else None
        if type(kind) is not str or kind == "tool_result":
            return DOUBT
        key = block.get("id" if kind in SERVER_CALLS else "tool_use_id")
        if kind in SERVER_CALLS:
            if type(key) is not str or key in waiting:
                return DOUBT
            waiting.add(key)
        elif kind.endswith("_tool_result"):
            if type(key) is not str or key not in waiting:
                return DOUBT
            waiting.remove(key)
        elif kind.endswith("_result"):
            continue
        else:
            plain.append(block)
    return DOUBT if waiting else peek_calls(plain)


def peek_results(content: Any) -> Peek:
    if type(content) is not LIST:
        return DOUBT
    results: list[str] = []
    other = False
    for block in content:
        kind = block["type"]
        if kind == "tool_result":
            call_id = block["tool_use_id"]
            if other or type(call_id) is not str:
                return DOUBT
            inside = block.get("content")
            if "is_error" in block or type(inside) is not str:
                if not inside or type(inside) not in (str, list):
                    return DOUBT
                if inside[0] == {"type": "text", "text": ""}:
                    return DOUBT
            results.append(call_id)
        elif type(kind) is not str or kind in _ASSISTANTS or kind.endswith("_result"):
            return DOUBT
        else:
            other = True
    return tuple(results) or None
