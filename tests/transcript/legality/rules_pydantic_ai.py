"""pydantic-ai: P1, and what its own repair calls dangling or orphaned (P2)."""

from typing import Any

from .seen import Message, Seen, objects, twice


def _answers(message: Message) -> list[dict[str, Any]]:
    return [part for part in objects(message["parts"]) if _is_answer(part)]


def _is_answer(part: dict[str, Any]) -> bool:
    retries = part["part_kind"] == "retry-prompt" and part.get("tool_name") is not None
    return part["part_kind"] == "tool-return" or retries


def _asked(message: Message) -> list[dict[str, Any]]:
    return [p for p in objects(message["parts"]) if p["part_kind"] == "tool-call"]


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, part["tool_call_id"], part)
        for at, message in enumerate(messages)
        for part in _asked(message)
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, part["tool_call_id"], part)
        for at, message in enumerate(messages)
        for part in _answers(message)
    ]


def broken(messages: list[Message]) -> list[str]:
    found: list[str] = []
    empty: Message = {"kind": "none", "parts": []}
    for at, message in enumerate(messages):
        before = messages[at - 1] if at else empty
        after = messages[at + 1] if at + 1 < len(messages) else empty
        asked = [part["tool_call_id"] for part in _asked(message)]
        answered = [part["tool_call_id"] for part in _answers(after)]
        found += [f"P1: {at} isn't answered: {i}" for i in asked if i not in answered]
        found += [f"P1: {at} calls twice: {i}" for i in twice(asked)]
        found += [f"P1: {at + 1} answers twice: {i}" for i in twice(answered)]
        known = [part["tool_call_id"] for part in _asked(before)]
        given = [part["tool_call_id"] for part in _answers(message)]
        found += [f"P1: {at} answers nobody: {i}" for i in given if i not in known]
        found += _order(at, message)
    return found


def _order(at: int, message: Message) -> list[str]:
    kinds = [part["part_kind"] for part in objects(message["parts"])]
    if not kinds and message["kind"] == "request":
        return [f"P1: {at} is empty"]
    answers = [_is_answer(part) for part in objects(message["parts"])]
    first = answers.index(False) if False in answers else len(answers)
    if any(answers[first:]) and message["kind"] == "request":
        return [f"P1: {at} has an answer behind something else"]
    return []
