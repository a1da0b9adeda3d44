from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    return [_message(step) for step in talk.steps]


def _message(step: Step) -> Message:
    match step:
        case Ask(texts=texts):
            return {"role": "user", "content": [{"text": f"say{n}"} for n in texts]}
        case Reply():
            return {"role": "assistant", "content": _reply(step)}
        case Answers(reply=reply, tail=tail, backwards=backwards):
            blocks = [_result(call) for call in reply.here]
            if backwards:
                blocks.reverse()
            if tail is not None:
                blocks.append({"text": f"say{tail}"})
            return {"role": "user", "content": blocks}


def _reply(step: Reply) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if step.thinks:
        thought = {"text": f"think{step.n}", "signature": "EuYB"}
        blocks.append({"reasoningContent": {"reasoningText": thought}})
    if step.says:
        blocks.append({"text": f"say{step.n}"})
    return blocks + [_call(call) for call in step.here]


def _call(call: Call) -> dict[str, Any]:
    body = {"name": call.name, "input": {"q": f"arg{call.n}"}}
    return {"toolUse": {"toolUseId": f"tooluse_{call.n}", **body}}


def _result(call: Call) -> dict[str, Any]:
    result: dict[str, Any] = {"toolUseId": f"tooluse_{call.n}"}
    if call.name == "list-beds":
        result["content"] = [{"json": {"beds": f"res{call.n}"}}]
    else:
        result["content"] = [{"text": f"res{call.n}"}]
    if call.fails:
        result["status"] = "error"
    return {"toolResult": result}
