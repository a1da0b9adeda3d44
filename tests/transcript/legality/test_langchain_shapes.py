"""A LangChain transcript is settled in the shape that it is stored in."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroute.transcript import check, detect, settle
from toolroute.transcript.formats.langchain import FORMAT

from . import write_langchain
from .damage import damaged
from .often import often
from .seen import Message
from .talk import talks

CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def as_data(message: Message) -> Message:
    return {"type": message["type"], "data": message}


def as_constructor(message: Message) -> Message:
    name = CLASSES.get(message["type"], "SystemMessage")
    path = ["langchain", "schema", "messages", name]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": message}


def as_role(message: Message) -> Message:
    roles = {"human": "user", "ai": "assistant"}
    kind = message["type"]
    rest = {key: value for key, value in message.items() if key != "type"}
    return {"role": roles.get(kind, kind), **rest}


every_shape = pytest.mark.parametrize("shape", [as_data, as_constructor, as_role])


@every_shape
@often
@given(data=st.data())
def test_a_stored_talk_is_settled_as_a_flat_one(
    shape: Callable[[Message], Message], data: st.DataObject
) -> None:
    flat = data.draw(damaged(write_langchain.write(data.draw(talks()))))
    stored = [shape(message) for message in flat]
    assert check(stored, "langchain") == check(flat, "langchain")
    settled = settle(flat, "langchain")
    again = settle(stored, "langchain")
    assert list(again.messages) == [shape(message) for message in settled.messages]
    assert len(again.changes) == len(settled.changes)


CALL = {"name": "read", "args": {}, "id": "c1", "type": "tool_call"}
TALK: list[Any] = [
    {"type": "human", "content": "Read."},
    {"type": "ai", "content": "", "tool_calls": [CALL]},
]


@pytest.mark.parametrize("shape", [as_data, as_constructor])
def test_the_shape_tells_the_format(shape: Callable[[Message], Message]) -> None:
    assert detect([shape(message) for message in TALK]) == "langchain"


def test_roles_that_only_langchain_has_tell_the_format() -> None:
    assert detect([{"role": "human", "content": "Read."}]) == "langchain"


def test_messages_in_mixed_shapes_stay_as_they_are() -> None:
    answered = {"type": "tool", "content": "31%", "tool_call_id": "c1"}
    lost = {"role": "assistant", "content": "", "tool_calls": [{**CALL, "id": "c2"}]}
    mixed = [as_role(TALK[0]), TALK[1], answered, lost]
    settled = settle(mixed, "langchain")
    assert list(settled.messages[:4]) == mixed
    assert settled.messages[4]["role"] == "tool"


def test_calls_in_openai_s_form_are_read_where_langchain_takes_them() -> None:
    function = {"name": "read", "arguments": '{"bed": '}
    call = {"id": "f.r:0", "type": "function", "function": function}
    ai = {"type": "ai", "content": "", "tool_calls": [call]}
    settled = settle([ai], "langchain", target="anthropic")
    new = settled.messages[1]["tool_call_id"]
    assert settled.messages[0]["tool_calls"] == [{**call, "id": new}]
    assert settled.messages[1]["name"] == "read"
    assert "TOOL_NOT_EXECUTED" in settled.messages[1]["content"]


def test_an_orphan_keeps_its_images() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    orphan = {"type": "tool", "content": [image], "tool_call_id": "gone"}
    (kept,) = settle([orphan], "langchain").messages
    mark = {"type": "text", "text": "[tool result without its call]"}
    assert kept == {"type": "human", "content": [mark, image]}


def test_the_quick_look_takes_what_providers_leave_in_messages() -> None:
    """Blocks beside their calls, and `refusal`."""
    peek = FORMAT.peek
    use = {"type": "tool_use", "id": "c1", "name": "read", "input": {}}
    said = {"type": "text", "text": "Now."}
    ai = {"type": "ai", "content": [said, use], "tool_calls": [CALL]}
    assert peek(ai) == ["c1"]
    assert peek({**TALK[1], "additional_kwargs": {"refusal": None}}) == ["c1"]
    assert peek({"type": "human", "content": [said]}) is None
    assert peek({**ai, "tool_calls": []}) is False
    for odd in (0, {}, "", [CALL]):
        assert peek({**TALK[1], "invalid_tool_calls": odd}) is False
    for odd in (0, {}, ""):
        assert peek({**TALK[1], "tool_calls": odd}) is False
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "31%"}
    assert peek({"type": "human", "content": [result]}) is False
    assert peek({**TALK[1], "additional_kwargs": {"tool_calls": []}}) is False


def test_a_message_in_no_shape_gets_a_sentence() -> None:
    unknown = {**as_constructor(TALK[0]), "id": ["langchain", "Prompt"]}
    with pytest.raises(ValueError, match=r"holds the text `Prompt` where human, ai"):
        check([unknown], "langchain")
