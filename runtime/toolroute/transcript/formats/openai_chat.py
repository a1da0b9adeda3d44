"""OpenAI Chat Completions: results are `tool` messages right behind their calls."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Out
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import as_text
from toolroute.transcript._work import Work
from toolroute.transcript.formats._chat import ChatWire, only_text

_SHOWABLE: Final = {"file", "image_url", "input_audio"}
_BEHIND: Final = "[what this tool answered stands in the user's message behind it]"


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
        "invalid_result_content": (
            "Invalid value for 'content': a tool message has a string, or an array of "
            "text parts; images are only allowed for messages with role 'user'"
        ),
        "invalid_name": (
            "Invalid 'tool_calls[].function.name': string does not match pattern "
            "'^[a-zA-Z0-9_-]+$'"
        ),
    }

    def finish(self, work: Work) -> None:
        outs: list[Out] = []
        shown: list[Any] = []
        for out in work.outs:
            if shown and out.role != "result":
                outs.append(_message_of(shown))
                shown = []
            content = out.message.get("content")
            if out.role == "result" and is_list(content) and not only_text(content):
                shown += _only_words(work, out)
            outs.append(out)
        work.outs = [*outs, _message_of(shown)] if shown else outs


def _only_words(work: Work, out: Out) -> list[Any]:
    """Leave a tool message its text; what else it held is for the user's message."""
    texts: list[Any] = []
    shown: list[Any] = []
    for part in out.message["content"]:
        kind = part.get("type") if is_record(part) else None
        if kind == "text":
            texts.append(part)
        elif isinstance(kind, str) and kind in _SHOWABLE:
            shown.append(part)
        else:
            texts.append({"type": "text", "text": as_text(part)})
    call_id = out.message.get("tool_call_id")
    remedy = "what isn't text goes into a user's message behind the results"
    place = out.source or 0
    work.report("invalid_result_content", place, call_id=call_id, remedy=remedy)
    text = "A tool message holds text alone now; the rest stands behind the results."
    work.note("rewritten", out.source, text, call_id=call_id)
    out.message = {**out.message, "content": texts or _BEHIND}
    return shown


def _message_of(shown: list[Any]) -> Out:
    return Out({"role": "user", "content": shown}, "user")


FORMAT = _OpenAIChat()
