"""Which format a list of messages is in, told by what only that format has.

The first message that tells decides. Chat Completions and Mistral have one shape: it's
Mistral's when every call's id is one that only Mistral asks for.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._registry import format_names, wire
from toolroute.transcript._types import FormatUnknown, NotATranscript
from toolroute.transcript._wire import kind_of

_MISTRAL_ID: Final = re.compile(r"[a-zA-Z0-9]{9}")
_LANGCHAIN: Final = ("human", "ai", "AIMessageChunk", "HumanMessageChunk")
_LANGCHAIN_ALONE: Final = (*_LANGCHAIN, "tool", "system")
"""Types that are a message of LangChain's where no role says otherwise."""
_ANTHROPIC_BLOCKS: Final = {
    "document",
    "image",
    "redacted_thinking",
    "search_result",
    "server_tool_use",
    "thinking",
    "tool_result",
    "tool_use",
}
_CHAT_PARTS: Final = {"file", "image_url", "input_audio", "refusal"}
_RESPONSES_ITEM: Final = re.compile(
    r"message|reasoning|item_reference|compaction(_trigger)?|program|additional_tools"
    r"|configuration_update|mcp_\w+|\w+_call|\w+_output"
)
_RESPONSES_PARTS: Final = {"input_file", "input_image", "input_text", "output_text"}
_BEDROCK_KEYS: Final = {
    "cachePoint",
    "document",
    "guardContent",
    "image",
    "reasoningContent",
    "text",
    "toolResult",
    "toolUse",
    "video",
}


def detect(messages: Sequence[Any]) -> str:
    """The name of the format.

    Raises `FormatUnknown` when nothing tells, and `NotATranscript` for what isn't a
    list of messages.
    """
    if not isinstance(messages, (list, tuple)):
        raise NotATranscript(
            f"A list of messages was expected, and {kind_of(messages)} was given."
        )
    chat = False
    for place, message in enumerate(messages):
        if not is_record(message):
            raise NotATranscript(
                f"message {place} is {kind_of(message)}; an object was expected. "
                "Counting starts at 0."
            )
        told = _told(message)
        if told == "openai_chat":
            chat = True
        elif told is not None:
            return told
    if chat:
        return _chat(messages)
    for name in format_names():
        if any(map(wire(name).tells, messages)):
            return name
    _not_wrapped(messages)
    raise FormatUnknown(
        "Nothing in these messages tells which format they are in: name it."
        if messages
        else "There are no messages, so nothing tells which format they are in."
    )


def _not_wrapped(messages: Sequence[Any]) -> None:
    """Lines of a log often hold a message each, and more around it."""
    for place, message in enumerate(messages):
        if is_record(message.get("message")):
            raise NotATranscript(
                f"message {place} is an object that holds another one as `message`: a "
                "transcript is the list of those inner ones. Counting starts at 0."
            )


def _told(message: dict[str, Any]) -> str | None:
    parts = message.get("parts")
    if message.get("kind") in ("request", "response") and "parts" in message:
        return "pydantic_ai"
    if is_list(parts):
        return _by_parts(message, parts)
    if _is_langchain(message):
        return "langchain"
    if _is_item(message):
        known = _RESPONSES_ITEM.fullmatch(message["type"])
        return "openai_responses" if known else None
    return _by_role(message)


def _is_langchain(message: dict[str, Any]) -> bool:
    """By its own words for the roles, or as its serialised objects say."""
    role, kind = message.get("role"), message.get("type")
    if kind == "constructor" and "lc" in message:
        return True
    kinds = _LANGCHAIN_ALONE if role is None else _LANGCHAIN
    return role in ("human", "ai") or kind in kinds


def _is_item(message: dict[str, Any]) -> bool:
    """Whether its type is what says what it is, instead of a role."""
    kind = message.get("type")
    return isinstance(kind, str) and ("role" not in message or kind == "message")


def _by_role(message: dict[str, Any]) -> str | None:
    role, content = message.get("role"), message.get("content")
    if role == "tool" or message.get("tool_calls"):
        return "openai_chat"
    if is_list(content):
        return next(filter(None, map(_by_block, content)), None)
    return "openai_chat" if role == "developer" else None


def _by_parts(message: dict[str, Any], parts: list[Any]) -> str | None:
    if message.get("role") == "model":
        return "gemini"
    if message.get("role") == "assistant":
        return "ai_sdk_ui"
    for part in parts:
        if is_record(part):
            return "ai_sdk_ui" if "type" in part else "gemini"
    return None


def _by_block(block: Any) -> str | None:
    if not is_record(block):
        return None
    kind = block.get("type")
    if kind is None:
        return "bedrock" if _BEDROCK_KEYS & block.keys() else None
    if not isinstance(kind, str):
        return None
    if kind in _ANTHROPIC_BLOCKS or kind.endswith("_tool_result"):
        return "anthropic"
    if kind in _CHAT_PARTS:
        return "openai_chat"
    return "openai_responses" if kind in _RESPONSES_PARTS else None


def _chat(messages: Sequence[Any]) -> str:
    ids = list(_ids(messages))
    if ids and all(isinstance(i, str) and _MISTRAL_ID.fullmatch(i) for i in ids):
        return "mistral"
    return "openai_chat"


def _ids(messages: Sequence[Any]) -> Iterator[Any]:
    for message in messages:
        calls = message.get("tool_calls")
        for call in calls if is_list(calls) else ():
            yield call.get("id") if is_record(call) else None
