"""Mistral, as its strictest published validator reads it: M1 to M6."""

import re
from itertools import pairwise

from . import rules_openai_chat
from .rules_openai_chat import calls, results
from .seen import Message

__all__ = ["broken", "calls", "results"]


def broken(messages: list[Message]) -> list[str]:
    found = [f"M1, M4: {rule}" for rule in rules_openai_chat.unpaired(messages)]
    if (
        messages
        and messages[0]["role"] == "assistant"
        and messages[0].get("tool_calls")
    ):
        found.append("M1: the calls of message 0 aren't counted, but their results are")
    found += [
        f"M3: {seen.at} has the id {seen.key!r}"
        for seen in calls(messages)
        if not re.fullmatch(r"[a-zA-Z0-9]{9}", seen.key)
    ]
    for at, (before, message) in enumerate(pairwise(messages)):
        if before["role"] == "tool" and message["role"] not in {"tool", "assistant"}:
            found.append(f"M2: {message['role']} after tool at {at + 1}")
    return found + _assistants(messages) + _names(messages)


def _assistants(messages: list[Message]) -> list[str]:
    """M5: words or calls, and not both; the last one is marked as a prefix."""
    last = len(messages) - 1
    found: list[str] = []
    if [message["role"] for message in messages] == ["assistant"]:
        found.append("an assistant's message is all there is")
    for at, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        if bool(message.get("content")) == bool(message.get("tool_calls")):
            found.append(f"M5: {at} has words and calls, or neither")
        if bool(message.get("prefix")) != (at == last):
            found.append(f"M5: {at} is the last, or a prefix, and not both")
    return found


def _names(messages: list[Message]) -> list[str]:
    named = {seen.key: seen.value["function"]["name"] for seen in calls(messages)}
    return [
        f"M6: {seen.at} is named {seen.value['name']}"
        for seen in results(messages)
        if "name" in seen.value
        and not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", seen.value["name"])
        and re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", named.get(seen.key, ""))
    ]
