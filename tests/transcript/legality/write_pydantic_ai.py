from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    messages = [_message(step) for step in talk.steps]
    system = {"part_kind": "system-prompt", "content": "You tend a greenhouse."}
    messages[0]["parts"].insert(0, system)
    return messages


def _message(step: Step) -> Message:
    match step:
        case Ask(texts=texts):
            return {"kind": "request", "parts": [_prompt(n) for n in texts]}
        case Reply():
            return {"kind": "response", "parts": _reply(step)}
        case Answers(reply=reply, tail=tail, backwards=backwards):
            parts = [_result(call) for call in reply.here]
            if backwards:
                parts.reverse()
            if tail is not None:
                parts.append(_prompt(tail))
            return {"kind": "request", "parts": parts}


def _prompt(n: int) -> dict[str, Any]:
    return {"part_kind": "user-prompt", "content": f"say{n}"}


def _reply(step: Reply) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if step.thinks:
        thought = {"part_kind": "thinking", "content": f"think{step.n}"}
        parts.append(thought | {"signature": "EuYB"})
    if step.says:
        parts.append({"part_kind": "text", "content": f"say{step.n}"})
    return parts + [_call(call) for call in step.here]


def _call(call: Call) -> dict[str, Any]:
    given: Any = {"q": f"arg{call.n}"}
    return {
        "part_kind": "tool-call",
        "tool_name": call.name,
        "args": f'{{"q": "arg{call.n}"}}' if call.name == "list-beds" else given,
        "tool_call_id": f"call_{call.n}",
    }


def _result(call: Call) -> dict[str, Any]:
    part = {
        "part_kind": "retry-prompt" if call.fails else "tool-return",
        "tool_name": call.name,
        "content": f"res{call.n}",
        "tool_call_id": f"call_{call.n}",
    }
    return part if call.fails else part | {"outcome": "success"}
