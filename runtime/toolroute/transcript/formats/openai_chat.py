"""OpenAI Chat Completions: results are `tool` messages right behind their calls."""

from collections.abc import Mapping
from typing import ClassVar, final

from toolroute.transcript._types import Kind
from toolroute.transcript.formats._chat import ChatWire


@final
class _OpenAIChat(ChatWire):
    name = "openai_chat"
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": (
            "An assistant message with 'tool_calls' must be followed by tool messages "
            "responding to each 'tool_call_id'. The following tool_call_ids did not "
            "have response messages: {id}"
        ),
        "misplaced_result": (
            "An assistant message with 'tool_calls' must be followed by tool messages "
            "responding to each 'tool_call_id'. The following tool_call_ids did not "
            "have response messages: {id}"
        ),
        "orphan_result": (
            "Invalid parameter: messages with role 'tool' must be a response to a "
            "preceeding message with 'tool_calls'."
        ),
        "duplicate_result": "Duplicate value for 'tool_call_id' of '{id}'",
        "duplicate_call_id": "Duplicate value for 'tool_call_id' of '{id}'",
        "missing_call_id": "Missing required parameter: the id of a tool call",
        "empty_call_id": "an id is empty, so no tool message can respond to it",
        "invalid_call_id": (
            "Invalid 'tool_calls[].id': string too long. Expected a string with "
            "maximum length 40"
        ),
        "invalid_name": (
            "Invalid 'tool_calls[].function.name': string does not match pattern "
            "'^[a-zA-Z0-9_-]+$'"
        ),
    }


FORMAT = _OpenAIChat()
