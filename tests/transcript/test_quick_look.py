"""What the quick look lets pass, the whole reading finds nothing in."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from toolroute.transcript import settle
from toolroute.transcript._api import run
from toolroute.transcript._quick import Used, nothing_wrong
from toolroute.transcript._registry import format_names, rules_for, wire
from toolroute.transcript._work import Context

CASES = [
    json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
]
SETTLED = [
    (case["format"], list(settle(case["messages"], case["format"]).messages))
    for case in CASES
]


def quick(format_: str, messages: list[Any]) -> bool:
    found = wire(format_)
    return nothing_wrong(found, messages, rules_for(found, None), Used())


def full(format_: str, messages: list[Any]) -> list[Any]:
    found = wire(format_)
    return run(found, messages, Context(rules_for(found, None))).violations


@pytest.mark.parametrize("format_", format_names())
def test_a_settled_case_of_each_format_passes_at_a_glance(format_: str) -> None:
    glances = [quick(f, messages) for f, messages in SETTLED if f == format_]
    assert any(glances)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_is_wrong_never_passes(case: dict[str, Any]) -> None:
    context = case.get("context")
    assert context or not (
        case["violations"] and quick(case["format"], case["messages"])
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_passes_has_nothing_wrong(seed: int) -> None:
    """Settled cases with a message or block dropped, doubled or moved."""
    chance = random.Random(seed)  # noqa: S311  (the same damage every time)
    passed = 0
    for _ in range(100):
        format_, messages = copy.deepcopy(chance.choice(SETTLED))
        hurt(chance, messages)
        if quick(format_, messages):
            passed += 1
            assert full(format_, messages) == []
    assert passed > 10


def hurt(chance: random.Random, messages: list[Any]) -> None:
    box = messages
    blocks = [
        message[key]
        for message in messages
        for key in ("content", "parts", "tool_calls")
        if isinstance(message.get(key), list) and message[key]
    ]
    if blocks and chance.random() < 0.5:
        box = chance.choice(blocks)
    place = chance.randrange(len(box))
    match chance.randrange(4):
        case 0:
            del box[place]
        case 1:
            box.insert(place, copy.deepcopy(box[place]))
        case 2:
            box.insert(chance.randrange(len(box)), box.pop(place))
        case _:
            pass


def test_a_look_that_doubts_forgets_the_ids_it_saw() -> None:
    use = {"type": "tool_use", "id": "a", "name": "read", "input": {}}
    found, used = wire("anthropic"), Used()
    messages = [{"role": "assistant", "content": [use]}]
    assert not nothing_wrong(found, messages, found.rules, used)
    assert used == Used()
