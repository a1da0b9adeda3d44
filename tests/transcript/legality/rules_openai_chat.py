"""OpenAI Chat Completions: O1 to O7."""

from .seen import Message, Seen, objects, twice

LONGEST_ID = 40


def calls(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, call["id"], call)
        for at, message in enumerate(messages)
        for call in objects(message.get("tool_calls"))
    ]


def results(messages: list[Message]) -> list[Seen]:
    return [
        Seen(at, message["tool_call_id"], message)
        for at, message in enumerate(messages)
        if message["role"] == "tool"
    ]


def broken(messages: list[Message]) -> list[str]:
    found = [*unpaired(messages), *_contents(messages)]
    return found + [
        f"O5: {seen.at} has an id of {len(seen.key)} characters"
        for seen in calls(messages)
        if not 1 <= len(seen.key) <= LONGEST_ID
    ]


def unpaired(messages: list[Message]) -> list[str]:
    """O1 to O4: each batch of calls is followed by its tool messages, one a call."""
    found: list[str] = []
    asked: list[str] = []
    answered: list[str] = []
    for at, message in enumerate([*messages, {"role": "end"}]):
        if message["role"] == "tool":
            key = message["tool_call_id"]
            if key not in asked:
                found.append(f"O3: {at} answers nobody: {key}")
            answered.append(key)
            continue
        found += [f"O1: no answer before {at}: {i}" for i in asked if i not in answered]
        found += [f"O4: two answers before {at}: {i}" for i in twice(answered)]
        asked = [call["id"] for call in objects(message.get("tool_calls"))]
        found += [f"O4: {at} calls twice: {i}" for i in twice(asked)]
        answered = []
    return found


def _contents(messages: list[Message]) -> list[str]:
    return [
        f"O7: {seen.at} has no content"
        for seen in results(messages)
        if not isinstance(seen.value.get("content"), str | list)
    ]
