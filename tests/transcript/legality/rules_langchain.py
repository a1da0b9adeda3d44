"""LangChain: L1, and the rules of the providers that the messages go to."""

from typing import Any

from .seen import Message, Seen, objects, twice

BLOCKS = {"tool_use": "id", "function_call": "call_id", "custom_tool_call": "call_id"}


def _asked(message: Message) -> list[tuple[Any, Any]]:
    """Calls with their ids: one in the content is the listed one, or one of its own."""
    if message["type"] != "ai":
        return []
    found = [
        (call["id"], call)
        for key in ("tool_calls", "invalid_tool_calls")
        for call in objects(message.get(key))
    ]
    for block in objects(message["content"]):
        if block.get("type") in BLOCKS:
            key = block[BLOCKS[block["type"]]]
            if key not in [known for known, _ in found]:
                found.append((key, block))
    return found


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, key, call)
        for at, message in enumerate(messages)
        for key, call in _asked(message)
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, message["tool_call_id"], message)
        for at, message in enumerate(messages)
        if message["type"] == "tool"
    ]


def broken(messages: list[Message]) -> list[str]:
    found: list[str] = []
    asked: list[Any] = []
    answered: list[Any] = []
    for at, message in enumerate([*messages, {"type": "end"}]):
        if message["type"] == "tool":
            key = message["tool_call_id"]
            if key not in asked:
                found.append(f"L1: {at} answers nobody: {key}")
            answered.append(key)
            continue
        found += [f"L1: no answer before {at}: {i}" for i in asked if i not in answered]
        found += [f"L1: two answers before {at}: {i}" for i in twice(answered)]
        asked = [key for key, _ in _asked(message)]
        found += [f"L1: {at} calls twice: {i}" for i in twice(asked)]
        answered = []
    return found
