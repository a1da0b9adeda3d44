"""What stands in Bedrock's messages: the quick look, and which contents are taken."""

from typing import Any

from toolroute.transcript._json import DICT, LIST, is_record
from toolroute.transcript._wire import DOUBT, Peek


def peek_calls(content: list[Any]) -> Peek:
    calls: list[str] = []
    for block in content:
        if "text" in block and len(block) == 1:
            continue
        if "toolUse" in block:
            use = block["toolUse"]
            call_id = use["toolUseId"]
            if type(call_id) is not str or type(use["name"]) is not str:
                return DOUBT
            if type(use["input"]) is not DICT or "type" in use:
                return DOUBT
            calls.append(call_id)
        elif type(block) is not DICT or "toolResult" in block:
            return DOUBT
    return calls or None


def peek_results(content: list[Any]) -> Peek:
    results: list[str] = []
    other = False
    for block in content:
        if "toolResult" in block:
            inside = block["toolResult"]
            call_id = inside["toolUseId"]
            if other or type(call_id) is not str or not _looks_fit(inside):
                return DOUBT
            results.append(call_id)
        elif type(block) is not DICT or "toolUse" in block:
            return DOUBT
        else:
            other = True
    return tuple(results) or None


def _looks_fit(inside: Any) -> bool:
    """Whether a client's result holds what Bedrock takes; with a status, something."""
    content = inside["content"]
    if type(content) is not LIST or "type" in inside:
        return False
    for part in content:
        if "text" in part and not part["text"]:
            return False
        if "json" in part and type(part["json"]) is not DICT:
            return False
    return bool(content) or "status" not in inside


def wordless(content: list[Any] | None) -> bool:
    return all(is_record(part) and part.get("text") == "" for part in content or [])


def unfit(content: Any) -> bool:
    """Whether it isn't there, or has a text without words or `json` of another kind."""
    return content is None or any(
        is_record(part)
        and (part.get("text") == "" or not is_record(part.get("json", part)))
        for part in content
    )


def taken(content: list[Any] | None) -> list[Any]:
    """The same as blocks that are taken: no empty text, and objects under `json`."""
    return [
        {**part, "json": {"output": part["json"]}}
        if is_record(part) and not is_record(part.get("json", part))
        else part
        for part in content or []
        if not (is_record(part) and part.get("text") == "")
    ]
