"""Messages of each wire format, in short."""

import json
from typing import Any

from toolroute import not_executed, outcome_unknown
from toolroute.transcript import Violation

UNKNOWN = json.dumps(outcome_unknown("read"))


NOT_RUN = json.dumps(not_executed("read"))


USER = {"role": "user", "content": "Read."}


def seen(violations: list[Violation]) -> list[tuple[str, str | None, int]]:
    return [(v.kind, v.call_id, v.message) for v in violations]


def use(call_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "read", "input": {}, **more}


def result(call_id: str, content: Any = "31%", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def told(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(call_id: Any, arguments: str = "{}") -> dict[str, Any]:
    function = {"name": "read", "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def asks(*calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def tool(call_id: str, content: str = "31%", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def item(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def asked(call_id: str, **more: Any) -> dict[str, Any]:
    return item("function_call", call_id=call_id, name="read", arguments="{}", **more)


def output(call_id: str, **more: Any) -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output="31%", **more)


SPOKEN = {"type": "message", "role": "user", "content": "Read."}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def asking(name: str = "read", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def answering(name: str | None = "read", **more: Any) -> dict[str, Any]:
    named = {} if name is None else {"name": name}
    return {"functionResponse": {**named, "response": {"output": "31%"}, **more}}
