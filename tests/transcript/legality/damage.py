"""What happens to transcripts: a few of these, one after the other, anywhere."""

import copy
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from hypothesis import strategies as st

from .seen import Message

Damage: TypeAlias = Callable[[st.DrawFn, list[Message]], None]

ID_KEYS = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId")
NAME_KEYS = ("name", "tool_name")
ODD_IDS = (
    "",
    "functions.read:3",
    "functions_read_3",
    "x" * 70,
    "x" * 69 + "y",
    "call_0",
)
PARTIAL = (
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
)


def _at(draw: st.DrawFn, messages: list[Any]) -> int:
    return draw(st.integers(0, len(messages) - 1))


def _drop(draw: st.DrawFn, messages: list[Message]) -> None:
    del messages[_at(draw, messages)]


def _double(draw: st.DrawFn, messages: list[Message]) -> None:
    at = _at(draw, messages)
    messages.insert(_at(draw, messages), copy.deepcopy(messages[at]))


def _move(draw: st.DrawFn, messages: list[Message]) -> None:
    message = messages.pop(_at(draw, messages))
    messages.insert(draw(st.integers(0, len(messages))), message)


def _cut_head(draw: st.DrawFn, messages: list[Message]) -> None:
    del messages[: _at(draw, messages)]


def _cut_tail(draw: st.DrawFn, messages: list[Message]) -> None:
    del messages[_at(draw, messages) + 1 :]


def _say(draw: st.DrawFn, messages: list[Message]) -> None:
    """Another user message comes in between: one that the talk has already."""
    said = [m for m in messages if _role(m) in {"user", "human", "request"}]
    said = [m for m in said if "say" in repr(m) and "res" not in repr(m)]
    if said:
        at = draw(st.integers(0, len(messages)))
        messages.insert(at, copy.deepcopy(said[_at(draw, said)]))


def _role(message: Message) -> Any:
    return message.get("role") or message.get("kind") or message.get("type")


def _boxes(messages: list[Message]) -> list[tuple[int, str]]:
    """The lists of blocks: the message's place and the key."""
    return [
        (at, key)
        for at, message in enumerate(messages)
        for key in ("content", "parts", "tool_calls")
        if isinstance(message.get(key), list) and message[key]
    ]


def _split(draw: st.DrawFn, messages: list[Message]) -> None:
    if boxes := _boxes(messages):
        at, key = boxes[_at(draw, boxes)]
        cut = _at(draw, messages[at][key])
        rest = copy.deepcopy(messages[at])
        rest[key] = rest[key][cut:]
        messages[at][key] = messages[at][key][:cut]
        messages.insert(at + 1, rest)
        _tidy(messages)


def _drop_block(draw: st.DrawFn, messages: list[Message]) -> None:
    if boxes := _boxes(messages):
        at, key = boxes[_at(draw, boxes)]
        del messages[at][key][_at(draw, messages[at][key])]
        _tidy(messages)


def _double_block(draw: st.DrawFn, messages: list[Message]) -> None:
    if boxes := _boxes(messages):
        at, key = boxes[_at(draw, boxes)]
        box = messages[at][key]
        box.insert(_at(draw, box), copy.deepcopy(box[_at(draw, box)]))


def _move_block(draw: st.DrawFn, messages: list[Message]) -> None:
    """To another place in its message, or to another message of the same role."""
    boxes = _boxes(messages)
    if not boxes:
        return
    at, key = boxes[_at(draw, boxes)]
    role = _role(messages[at])
    there = [b for b in boxes if b[1] == key and _role(messages[b[0]]) == role]
    to = messages[there[_at(draw, there)][0]][key]
    block = messages[at][key].pop(_at(draw, messages[at][key]))
    to.insert(draw(st.integers(0, len(to))), block)
    _tidy(messages)


def _tidy(messages: list[Message]) -> None:
    """A message left without anything is gone."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if message.get("tool_calls") == [] and "invalid_tool_calls" not in message:
            del message["tool_calls"]
        held = [message.get(key) for key in ("content", "parts", "tool_calls")]
        if not any(held) and _role(message) not in NOT_HOLDERS:
            del messages[at]


NOT_HOLDERS = {
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "reasoning",
    "web_search_call",
}


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _slots(messages: list[Message], keys: tuple[str, ...]) -> list[tuple[Any, str]]:
    return [
        (value, key)
        for value in _objects(messages)
        for key in keys
        if key in value and not ("content" in value and key == "id")
        if value.get("type") not in {"reasoning", "message", "web_search_call"}
        if "parts" not in value
    ]


def _change_id(draw: st.DrawFn, messages: list[Message]) -> None:
    if slots := _slots(messages, ID_KEYS):
        value, key = slots[_at(draw, slots)]
        others = [other[k] for other, k in slots]
        value[key] = draw(st.sampled_from([*ODD_IDS, *others]))


def _change_every_id(draw: st.DrawFn, messages: list[Message]) -> None:
    """An id gets another value on all its sides, as when the provider changes."""
    if slots := _slots(messages, ID_KEYS):
        value, key = slots[_at(draw, slots)]
        old, new = value[key], draw(st.sampled_from(ODD_IDS))
        for other, k in slots:
            if other[k] == old:
                other[k] = new


def _lose_id(draw: st.DrawFn, messages: list[Message]) -> None:
    """Where the format allows it: Gemini's ids, and a Responses output's."""
    slots = [
        (value, key)
        for value, key in _slots(messages, ID_KEYS)
        if "args" in value
        or "response" in value
        or value.get("type") == "function_call_output"
    ]
    slots = [(value, key) for value, key in slots if value.get("type") != "tool_call"]
    slots = [(value, key) for value, key in slots if "part_kind" not in value]
    if slots:
        value, key = slots[_at(draw, slots)]
        del value[key]


def _rename(draw: st.DrawFn, messages: list[Message]) -> None:
    slots = _slots(messages, NAME_KEYS)
    if slots := [s for s in slots if s[0].get("type") != "server_tool_use"]:
        value, key = slots[_at(draw, slots)]
        value[key] = draw(st.sampled_from(["read_gauge", "tidy_up"]))


def _truncate(draw: st.DrawFn, messages: list[Message]) -> None:
    """The stream broke off in a call: its arguments, or the part's state."""
    cut = [
        value
        for value in _objects(messages)
        if isinstance(value.get("arguments") or value.get("args") or None, str)
        or value.get("state") in {"output-available", "output-error"}
    ]
    if not cut:
        return
    value = cut[_at(draw, cut)]
    if "state" in value:
        value["state"] = draw(st.sampled_from(PARTIAL))
        value.pop("output", None)
        value.pop("errorText", None)
        if value["state"].startswith("approval"):
            value["approval"] = {"id": "approval_1"}
        if value["state"] == "approval-responded":
            value["approval"]["approved"] = draw(st.booleans())
        return
    key = "arguments" if "arguments" in value else "args"
    value[key] = value[key][: _at(draw, value[key])]


ALL: tuple[Damage, ...] = (
    _drop,
    _double,
    _move,
    _cut_head,
    _cut_tail,
    _say,
    _split,
    _drop_block,
    _double_block,
    _move_block,
    _change_id,
    _change_every_id,
    _lose_id,
    _rename,
    _truncate,
)


@st.composite
def damaged(draw: st.DrawFn, messages: list[Message]) -> list[Message]:
    """A copy of the messages after one to four of the above."""
    hurt = copy.deepcopy(messages)
    for _ in range(draw(st.integers(1, 4))):
        if hurt:
            draw(st.sampled_from(ALL))(draw, hurt)
    return hurt
