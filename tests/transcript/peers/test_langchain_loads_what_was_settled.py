"""LangChain's own loaders read what was settled in the shapes that it writes."""

from collections.abc import Callable
from typing import Any

from toolroute.transcript import settle

CALL = {"name": "read", "args": {"bed": 4}, "id": "c1"}


def history() -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage  # noqa: PLC0415

    return [HumanMessage("Read."), AIMessage("", tool_calls=[CALL]), HumanMessage("?")]


def is_whole(loaded: list[Any]) -> bool:
    from langgraph.prebuilt.chat_agent_executor import (  # noqa: PLC0415
        _validate_chat_history,
    )

    _validate_chat_history(loaded)
    return [m.type for m in loaded] == ["human", "ai", "tool", "human"]


def test_messages_from_dict(need: Callable[[str], None]) -> None:
    need("langgraph.prebuilt")
    from langchain_core.messages import (  # noqa: PLC0415
        messages_from_dict,
        messages_to_dict,
    )

    settled = settle(messages_to_dict(history()))
    assert is_whole(messages_from_dict(list(settled.messages)))


def test_convert_to_messages_and_dumpd(need: Callable[[str], None]) -> None:
    need("langgraph.prebuilt")
    from langchain_core.load import dumpd  # noqa: PLC0415
    from langchain_core.messages import convert_to_messages  # noqa: PLC0415

    settled = settle([dumpd(message) for message in history()])
    assert is_whole(convert_to_messages(settled.messages))


def test_convert_to_messages_and_roles(need: Callable[[str], None]) -> None:
    need("langgraph.prebuilt")
    from langchain_core.messages import convert_to_messages  # noqa: PLC0415

    function = {"name": "read", "arguments": "{}"}
    call = {"id": "c1", "type": "function", "function": function}
    messages = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "user", "content": "?"},
    ]
    settled = settle(messages, "langchain")
    assert is_whole(convert_to_messages(settled.messages))
