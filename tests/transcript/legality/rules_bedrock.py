"""Bedrock Converse: B1 to B8."""

import re
from typing import Any

from .seen import Message, Seen, objects, twice


def _blocks(message: Message, kind: str) -> list[dict[str, Any]]:
    return [block[kind] for block in objects(message["content"]) if kind in block]


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, call["toolUseId"], call)
        for at, message in enumerate(messages)
        for call in _blocks(message, "toolUse")
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, answer["toolUseId"], answer)
        for at, message in enumerate(messages)
        for answer in _blocks(message, "toolResult")
    ]


def broken(messages: list[Message]) -> list[str]:
    found = [*_ids(messages), *_contents(messages)]
    for at, message in enumerate(messages):
        before = messages[at - 1] if at else {"role": "none", "content": []}
        if before["role"] == message["role"]:
            found.append(f"B3: {at} has the role of the message before it")
        asked = [call["toolUseId"] for call in _blocks(message, "toolUse")]
        after = messages[at + 1] if at + 1 < len(messages) else {"content": []}
        answered = [answer["toolUseId"] for answer in _blocks(after, "toolResult")]
        found += [f"B1: {at} isn't answered: {i}" for i in asked if i not in answered]
        found += [f"B2: {at + 1} answers more: {i}" for i in answered if i not in asked]
        found += [f"B2: {at + 1} answers twice: {i}" for i in twice(answered)]
        kinds = ["toolResult" in block for block in message["content"]]
        if kinds != sorted(kinds, reverse=True):
            found.append(f"B8: {at} has a result behind something else")
    if messages and _blocks(messages[0], "toolResult"):
        found.append("B2: 0 answers nobody")
    return found


def _ids(messages: list[Message]) -> list[str]:
    keys = [(seen.at, seen.key) for seen in calls(messages)]
    return [f"B4: two calls of one id: {key}" for key in twice(keys)] + [
        f"B4: {at} has the id {key!r}"
        for at, key in keys
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", key)
    ]


def _contents(messages: list[Message]) -> list[str]:
    found = [f"B5: {at} is empty" for at, m in enumerate(messages) if not m["content"]]
    for at, message in enumerate(messages):
        texts = [block["text"] for block in message["content"] if "text" in block]
        found += [f"B5: {at} has an empty text" for text in texts if not text]
    for seen in results(messages):
        if seen.value.get("status") == "error" and not seen.value["content"]:
            found.append(f"B5: {seen.at} has an error without content")
        for block in seen.value["content"]:
            if not isinstance(block.get("json", {}), dict):
                found.append(f"B5: {seen.at} has json that isn't an object")
    return found
