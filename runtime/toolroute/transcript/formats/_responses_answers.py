"""The output item of OpenAI Responses that answers a call of each type."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Call
from toolroute.transcript._wire import Answer
from toolroute.transcript.formats._responses_items import ANSWERS

_Fields: TypeAlias = dict[str, Any]

_HEADS: Final[Mapping[str, tuple[str, str]]] = {
    family: (kind, key) for kind, (family, key) in ANSWERS.items()
}
"""By the call's type: its output's type, and the field that pairs it."""


def answer_item(call: Call, answer: Answer) -> Any:
    """The output item for a call, or None where only the tool itself can make one."""
    kind, key = _HEADS[call.family]
    fields = _FIELDS.get(call.family, _text)(answer)
    if fields is None:
        return None
    return {"type": kind, key: call.new_id or call.id, **fields}


def _text(answer: Answer) -> _Fields:
    return {"output": answer.text}


def _screenshot(answer: Answer) -> _Fields | None:
    if not is_record(answer.content) or answer.is_error:
        return None
    return {"output": answer.content}


def _shell(answer: Answer) -> _Fields:
    if is_list(answer.content):
        return {"output": answer.content}
    code = {"type": "exit", "exit_code": -1 if answer.is_error else 0}
    stdout, stderr = ("", answer.text) if answer.is_error else (answer.text, "")
    return {"output": [{"stdout": stdout, "stderr": stderr, "outcome": code}]}


def _patch(answer: Answer) -> _Fields:
    status = "failed" if answer.is_error else "completed"
    return {"status": status, "output": answer.text}


def _approval(answer: Answer) -> _Fields:
    return {"approve": answer.content is True, "reason": answer.text}


def _tools(answer: Answer) -> _Fields:
    tools = answer.content if is_list(answer.content) else []
    return {"tools": tools, "execution": "client"}


_FIELDS: Final[Mapping[str, Callable[[Answer], _Fields | None]]] = {
    "apply_patch_call": _patch,
    "computer_call": _screenshot,
    "mcp_approval_request": _approval,
    "shell_call": _shell,
    "tool_search_call": _tools,
}
"""What an output holds where it isn't text alone."""
