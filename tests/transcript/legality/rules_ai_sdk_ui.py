"""Vercel AI SDK, UIMessage: U1, U2 and U4. A call and its result are one part."""

from typing import Any

from .seen import Message, Seen, objects

SETTLED = {"output-available", "output-error", "output-denied"}
GRANTED = {"output-available", "output-error"}


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, part["toolCallId"], part)
        for at, message in enumerate(messages)
        for part in objects(message["parts"])
        if part["type"].startswith("tool-") or part["type"] == "dynamic-tool"
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [seen for seen in calls(messages) if seen.value["state"] in SETTLED]


def live(messages: list[Message], at: int, part: Any) -> bool:
    """Whether an approval was just given, in the last step of the last message.

    Of a provider's own call it is told wherever it stands.
    """
    if part["state"] != "approval-responded":
        return False
    if part.get("providerExecuted"):
        return True
    if at != len(messages) - 1:
        return False
    parts = messages[at]["parts"]
    behind = [other["type"] for other in parts[parts.index(part) + 1 :]]
    return not any(
        kind == "step-start" and behind[n + 1 :] for n, kind in enumerate(behind)
    )


def broken(messages: list[Message]) -> list[str]:
    found: list[str] = []
    for at, message in enumerate(messages):
        ids = [seen.key for seen in calls([message])]
        if len(set(ids)) < len(ids):
            found.append(f"U1: {at} has two calls with one id")
    for seen in calls(messages):
        part = seen.value
        if part["state"] not in SETTLED and not live(messages, seen.at, part):
            found.append(f"U2: {seen.at} has a call in state {part['state']}")
        approval = part.get("approval")
        if part["state"] in GRANTED and approval and not approval.get("approved"):
            found.append(f"U1: {seen.at} has a result without its approval")
        if part["state"] == "output-error" and not part.get("errorText"):
            found.append(f"U4: {seen.at} has an error without text")
        if part["state"] == "output-available" and "output" not in part:
            found.append(f"U1: {seen.at} has an output without output")
        if messages[seen.at]["role"] != "assistant":
            found.append(f"U1: {seen.at} has a call that isn't an assistant's")
    return found
