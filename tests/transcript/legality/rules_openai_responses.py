"""OpenAI Responses: R1 to R8, in the reading of the strict backends."""

from .seen import Message, Seen, twice

ANSWERS = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
}
LONGEST_ID = 64


def calls(items: list[Message]) -> list[Seen]:
    return [
        Seen(at, item["call_id"], item)
        for at, item in enumerate(items)
        if item.get("type") in ANSWERS
    ]


def results(items: list[Message]) -> list[Seen]:
    return [
        Seen(at, item.get("call_id"), item)
        for at, item in enumerate(items)
        if item.get("type") in ANSWERS.values()
    ]


def broken(items: list[Message], *, held: bool = False) -> list[str]:
    """`held`: calls stand on the server, behind a `previous_response_id`."""
    return [*_pairs(items, held=held), *_ids(items), *_reasoning(items)]


def _pairs(items: list[Message], *, held: bool) -> list[str]:
    found: list[str] = []
    asked = {(seen.key, ANSWERS[seen.value["type"]]): seen.at for seen in calls(items)}
    answered = [(seen.key, seen.value["type"]) for seen in results(items)]
    found += [
        f"R1: {at} isn't answered" for key, at in asked.items() if key not in answered
    ]
    found += [f"R5: two outputs for {key}" for key in twice(answered)]
    for seen in results(items):
        at = asked.get((seen.key, seen.value["type"]))
        if not seen.key:
            found.append(f"R8: {seen.at} has no call_id")
        elif at is None:
            found += [] if held else [f"R2: {seen.at} answers nobody: {seen.key}"]
        elif at > seen.at or not _one_batch(items[at : seen.at]):
            found.append(f"R7: {seen.at} doesn't stand behind the calls of its batch")
    return found


def _one_batch(items: list[Message]) -> bool:
    """The model's own items, then outputs, and nobody speaks in between."""
    outputs = [item.get("type") in ANSWERS.values() for item in items]
    return outputs == sorted(outputs) and all("role" not in item for item in items)


def _ids(items: list[Message]) -> list[str]:
    keys = [seen.key for seen in calls(items)]
    found = [f"R5: two calls have the call_id {key!r}" for key in twice(keys)]
    found += [
        f"R6: a call_id of {len(key)} characters"
        for key in keys
        if not 1 <= len(key) <= LONGEST_ID
    ]
    ids = [item["id"] for item in items if isinstance(item.get("id"), str)]
    return found + [f"R3, R5: two items have the id {i}" for i in twice(ids)]


def _reasoning(items: list[Message]) -> list[str]:
    found: list[str] = []
    for at, item in enumerate(items):
        if item.get("type") == "reasoning":
            after = [i for i in items[at + 1 :] if i.get("type") != "reasoning"]
            if not after or after[0].get("role") not in {None, "assistant"}:
                found.append(f"R4: {at} is reasoning without what it led to")
            elif after[0].get("type") in ANSWERS.values():
                found.append(f"R4: {at} is reasoning without its call")
    return found
