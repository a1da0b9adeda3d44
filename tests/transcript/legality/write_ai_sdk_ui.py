from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Talk


def write(talk: Talk) -> list[Message]:
    messages: list[Message] = []
    for step in talk.steps:
        match step:
            case Ask(texts=texts):
                messages.append(_user(texts))
            case Reply():
                if not messages or messages[-1]["role"] != "assistant":
                    message = {"id": f"m{step.n}", "role": "assistant", "parts": []}
                    messages.append(message)
                messages[-1]["parts"] += _reply(step)
            case Answers(tail=int(tail)):
                messages.append(_user((tail,)))
            case Answers():
                pass
    return messages


def _user(texts: tuple[int, ...]) -> Message:
    parts = [{"type": "text", "text": f"say{n}", "state": "done"} for n in texts]
    return {"id": f"m{texts[0]}", "role": "user", "parts": parts}


def _reply(step: Reply) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"type": "step-start"}]
    if step.thinks:
        parts.append({"type": "reasoning", "text": f"think{step.n}", "state": "done"})
    if step.says:
        parts.append({"type": "text", "text": f"say{step.n}", "state": "done"})
    return parts + [_call(call) for call in step.calls]


def _call(call: Call) -> dict[str, Any]:
    part: dict[str, Any] = {"type": f"tool-{call.name}"}
    if call.name == "list-beds":
        part = {"type": "dynamic-tool", "toolName": call.name}
    part["toolCallId"] = f"call_{call.n}"
    part["state"] = "output-error" if call.fails else "output-available"
    part["input"] = {"q": f"arg{call.n}"}
    part["errorText" if call.fails else "output"] = f"res{call.n}"
    if call.runs != "here":
        part["providerExecuted"] = True
    return part
