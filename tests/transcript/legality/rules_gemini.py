"""Gemini generateContent: G1 to G7."""

from collections import Counter
from typing import Any

from .seen import Message, Seen, objects


def _parts(content: Message, kind: str) -> list[dict[str, Any]]:
    return [part[kind] for part in objects(content["parts"]) if kind in part]


def calls(contents: list[Message]) -> list[Seen]:
    return [
        Seen(at, call.get("id"), call)
        for at, content in enumerate(contents)
        for call in _parts(content, "functionCall")
    ]


def results(contents: list[Message]) -> list[Seen]:
    return [
        Seen(at, answer.get("id"), answer)
        for at, content in enumerate(contents)
        for answer in _parts(content, "functionResponse")
    ]


def broken(contents: list[Message]) -> list[str]:
    found: list[str] = []
    for at, content in enumerate(contents):
        asked = _parts(content, "functionCall")
        before = contents[at - 1] if at else {"role": "model", "parts": []}
        if content["role"] not in {"user", "model"} or not content["parts"]:
            found.append(f"G7: {at} has the role {content['role']} or no parts")
        if asked and before["role"] != "user":
            found.append(f"G3: {at} calls, and {before['role']} comes before it")
        if asked:
            found += _turn(at, asked, contents[at + 1 : at + 2])
        if _parts(content, "functionResponse") and not _parts(before, "functionCall"):
            found.append(f"G2: {at} answers, and no call comes before it")
    return found + _responses(contents)


def unsure(contents: list[Message]) -> bool:
    """Whether a call without id has a response with one: no rule says what then."""
    for at, content in enumerate(contents):
        ids = {call.get("id") for call in _parts(content, "functionCall")}
        after = contents[at + 1 : at + 2]
        given = {r.get("id") for m in after for r in _parts(m, "functionResponse")}
        if None in ids and given - ids:
            return True
    return False


def _turn(at: int, asked: list[dict[str, Any]], after: list[Message]) -> list[str]:
    answers = _parts(after[0], "functionResponse") if after else []
    found: list[str] = []
    if len(answers) != len(asked):
        found.append(f"G1: {at} has {len(asked)} calls, {len(answers)} responses")
    if after and answers and after[0]["role"] != "user":
        found.append(f"G2: {at + 1} isn't the user's")
    ids = [call["id"] for call in asked if call.get("id")]
    given = [answer.get("id") for answer in answers]
    found += [
        f"G4: {ids.count(i)} calls have the id {i}, {given.count(i)} responses"
        for i in sorted(set(ids))
        if given.count(i) != ids.count(i)
    ]
    wanted = Counter(call["name"] for call in asked)
    named = Counter(answer.get("name") for answer in answers)
    if wanted != named:
        found.append(f"G5: {at} calls {wanted}, and the responses are {named}")
    return found


def _responses(contents: list[Message]) -> list[str]:
    return [
        f"G5, G6: {seen.at} has no name, or a response that isn't an object"
        for seen in results(contents)
        if not seen.value.get("name") or not isinstance(seen.value["response"], dict)
    ]
