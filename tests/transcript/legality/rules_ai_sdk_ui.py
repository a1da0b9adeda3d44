"""Vercel AI SDK, UIMessage: U1, U2 and U4. A call and its result are one part."""

from .seen import Message, Seen, objects

SETTLED = {"output-available", "output-error", "output-denied"}


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, part["toolCallId"], part)
        for at, message in enumerate(messages)
        for part in objects(message["parts"])
        if part["type"].startswith("tool-") or part["type"] == "dynamic-tool"
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [seen for seen in calls(messages) if seen.value["state"] in SETTLED]


def broken(messages: list[Message]) -> list[str]:
    found: list[str] = []
    for seen in calls(messages):
        part = seen.value
        if part["state"] not in {*SETTLED, "approval-responded"}:
            found.append(f"U2: {seen.at} has a call in state {part['state']}")
        if part["state"] == "output-error" and not part.get("errorText"):
            found.append(f"U4: {seen.at} has an error without text")
        if part["state"] == "output-available" and "output" not in part:
            found.append(f"U1: {seen.at} has an output without output")
        if messages[seen.at]["role"] != "assistant":
            found.append(f"U1: {seen.at} has a call that isn't an assistant's")
    return found
