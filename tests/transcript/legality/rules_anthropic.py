"""Anthropic Messages: A1 to A11 of the rules by wire format."""

import re
from typing import Any

from .seen import Message, Seen, objects, twice

SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


def blocks(message: Message) -> list[dict[str, Any]]:
    return objects(message["content"])


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, block["id"], block)
        for at, message in enumerate(messages)
        for block in blocks(message)
        if block["type"] == "tool_use"
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, block["tool_use_id"], block)
        for at, message in enumerate(messages)
        for block in blocks(message)
        if block["type"] == "tool_result"
    ]


def broken(messages: list[Message]) -> list[str]:
    found = [*_ids(messages), *_contents(messages), *_server(messages)]
    for at, message in enumerate(messages):
        found += _roles(at, message)
        if message["role"] == "assistant":
            found += _turn(at, message, messages[at + 1 : at + 2])
        elif at == 0 or messages[at - 1]["role"] != "assistant":
            found += [
                f"A4: {at} answers nobody: {i}" for i in sorted(_answered(message))
            ]
    return found


def _roles(at: int, message: Message) -> list[str]:
    kinds = {block["type"] for block in blocks(message)}
    if message["role"] == "user" and kinds & {"tool_use", *SERVER_CALLS}:
        return [f"A1: {at} is a user's and holds a call"]
    if message["role"] == "assistant" and "tool_result" in kinds:
        return [f"A1: {at} is an assistant's and holds a result"]
    return []


def _asked(message: Message) -> list[str]:
    return [block["id"] for block in blocks(message) if block["type"] == "tool_use"]


def _answered(message: Message) -> list[str]:
    return [
        block["tool_use_id"]
        for block in blocks(message)
        if block["type"] == "tool_result"
    ]


def _turn(at: int, message: Message, following: list[Message]) -> list[str]:
    asked = _asked(message)
    after = [m for m in following if m["role"] == "user"]
    answered = _answered(after[0]) if after else []
    found = [f"A1: {at} isn't answered: {i}" for i in asked if i not in answered]
    found += [f"A4: {at + 1} answers nobody: {i}" for i in answered if i not in asked]
    found += [f"A5: {at + 1} answers twice: {i}" for i in twice(answered)]
    if after:
        kinds = [block["type"] == "tool_result" for block in blocks(after[0])]
        if kinds != sorted(kinds, reverse=True):
            found.append(f"A2: {at + 1} has a result behind something else")
    return found


def _ids(messages: list[Message]) -> list[str]:
    ids = [seen.key for seen in calls(messages)]
    odd = [i for i in ids if not re.fullmatch(r"[a-zA-Z0-9_-]+", i)]
    return [f"A6: twice: {i}" for i in twice(ids)] + [f"A7: pattern: {i}" for i in odd]


def _contents(messages: list[Message]) -> list[str]:
    last = len(messages) - 1
    found = [
        f"A9: {at} is empty"
        for at, message in enumerate(messages)
        if not message["content"] and (at < last or message["role"] == "user")
    ]
    return found + [
        f"A9: {at} has an empty text"
        for at, message in enumerate(messages)
        for block in blocks(message)
        if block["type"] == "text" and not block["text"]
    ]


def _server(messages: list[Message]) -> list[str]:
    """A10 and A11: pairs by id, and a call without result only where one may come."""
    found: list[str] = []
    open_calls: list[tuple[str, int]] = []
    for at, message in enumerate(messages):
        for block in blocks(message):
            if block["type"] in SERVER_CALLS:
                open_calls.append((block["id"], at))
            elif _is_server_result(block):
                asked = [c for c in open_calls if c[0] == block["tool_use_id"]]
                if asked:
                    open_calls.remove(asked[0])
                else:
                    found.append(f"A11: {at} answers nobody: {block['tool_use_id']}")
    return found + [
        f"A10: {at} isn't answered, and can't be any more: {i}"
        for i, at in open_calls
        if not _may_come(messages, at)
    ]


def _is_server_result(block: dict[str, Any]) -> bool:
    return str(block["type"]).endswith("_tool_result")


def _may_come(messages: list[Message], at: int) -> bool:
    """Nothing follows the call's message, or the results of its client calls alone."""
    if at == len(messages) - 1:
        return True
    kinds = {block["type"] for block in blocks(messages[-1])}
    return at == len(messages) - 2 and kinds == {"tool_result"}
