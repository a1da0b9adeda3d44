"""The quick look at one Anthropic message."""

from typing import Any, Final

from toolroute.transcript._json import DICT, LIST
from toolroute.transcript._wire import DOUBT, Peek
from toolroute.transcript.formats._anthropic_server import SERVER_CALLS

_ASSISTANTS: Final = {"tool_use", *SERVER_CALLS}
_SAYS: Final = (str, list)
_NO_WORDS: Final = {"type": "text", "text": ""}


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
        begins = kind in SERVER_CALLS
        if begins or kind.endswith("_tool_result"):
            key = block.get("id" if begins else "tool_use_id")
            if type(key) is not str or (key in waiting) is begins:
                return DOUBT
            if begins:
                waiting.add(key)
            else:
                waiting.remove(key)
        elif not kind.endswith("_result"):
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
            plain = type(inside) is str and "is_error" not in block
            if not plain and not _has_words(inside):
                return DOUBT
            results.append(call_id)
        elif type(kind) is not str or kind in _ASSISTANTS or kind.endswith("_result"):
            return DOUBT
        else:
            other = True
    return tuple(results) or None


def _has_words(inside: Any) -> bool:
    return bool(inside) and type(inside) in _SAYS and inside[0] != _NO_WORDS
