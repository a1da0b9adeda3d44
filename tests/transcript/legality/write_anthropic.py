from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    messages: list[Message] = []
    late: tuple[Call, ...] = ()
    for step in talk.steps:
        messages.append(_message(step, late))
        if isinstance(step, Reply):
            late = step.defers
    return messages


def _message(step: Step, late: tuple[Call, ...]) -> Message:
    match step:
        case Ask(texts=[only]):
            return {"role": "user", "content": f"say{only}"}
        case Ask(texts=texts):
            return {"role": "user", "content": [_text(n) for n in texts]}
        case Reply():
            blocks = [_server_result(call) for call in late] + _reply(step)
            return {"role": "assistant", "content": blocks}
        case Answers(reply=reply, tail=tail, backwards=backwards):
            blocks = [_result(call) for call in reply.here]
            if backwards:
                blocks.reverse()
            if tail is not None:
                blocks.append(_text(tail))
            return {"role": "user", "content": blocks}


def _reply(step: Reply) -> list[dict[str, Any]]:
    thought = {"type": "thinking", "thinking": f"think{step.n}", "signature": "EuYB"}
    blocks = [thought] if step.thinks else []
    if step.says:
        blocks.append(_text(step.n))
    for call in step.calls:
        if call.runs != "here":
            blocks.append(_call(call, "server_tool_use", "srvtoolu"))
        if call.runs == "server":
            blocks.append(_server_result(call))
    return blocks + [_call(call, "tool_use", "toolu") for call in step.here]


def _text(n: int) -> dict[str, Any]:
    return {"type": "text", "text": f"say{n}"}


def _call(call: Call, kind: str, prefix: str) -> dict[str, Any]:
    name = call.name if kind == "tool_use" else "web_search"
    given = {"q": f"arg{call.n}"}
    return {"type": kind, "id": f"{prefix}_{call.n}", "name": name, "input": given}


def _server_result(call: Call) -> dict[str, Any]:
    return {
        "type": "web_search_tool_result",
        "tool_use_id": f"srvtoolu_{call.n}",
        "content": [
            {
                "type": "web_search_result",
                "url": "https://example.org",
                "title": f"found{call.n}",
                "encrypted_content": "EqgfCioIARgB",
            }
        ],
    }


def _result(call: Call) -> dict[str, Any]:
    result = {
        "type": "tool_result",
        "tool_use_id": f"toolu_{call.n}",
        "content": f"res{call.n}",
    }
    return result | ({"is_error": True} if call.fails else {})
