from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    return [m for step in talk.steps for m in _contents(step, ids=talk.ids)]


def _contents(step: Step, *, ids: bool) -> list[Message]:
    match step:
        case Ask(texts=texts):
            return [{"role": "user", "parts": [{"text": f"say{n}"} for n in texts]}]
        case Reply():
            return [{"role": "model", "parts": _reply(step, ids=ids)}]
        case Answers(reply=reply, tail=tail, backwards=backwards):
            parts = [_result(call, ids=ids) for call in reply.here]
            if backwards and ids:
                parts.reverse()
            contents: list[Message] = [{"role": "user", "parts": parts}]
            if tail is not None:
                contents.append({"role": "user", "parts": [{"text": f"say{tail}"}]})
            return contents


def _reply(step: Reply, *, ids: bool) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if step.thinks:
        parts.append({"text": f"think{step.n}", "thought": True})
    if step.says:
        parts.append({"text": f"say{step.n}"})
    calls = [_call(call, ids=ids) for call in step.here]
    if calls:
        calls[0]["thoughtSignature"] = "CvQBAVSoXO4"
    return parts + calls


def _call(call: Call, *, ids: bool) -> dict[str, Any]:
    body = {"name": call.name, "args": {"q": f"arg{call.n}"}}
    return {"functionCall": {"id": f"g{call.n}", **body} if ids else body}


def _result(call: Call, *, ids: bool) -> dict[str, Any]:
    key = "error" if call.fails else "output"
    body = {"name": call.name, "response": {key: f"res{call.n}"}}
    return {"functionResponse": {"id": f"g{call.n}", **body} if ids else body}
