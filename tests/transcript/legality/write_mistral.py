from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    messages = [message for step in talk.steps for message in _messages(step)]
    if messages[-1]["role"] == "assistant" and not messages[-1].get("tool_calls"):
        messages[-1]["prefix"] = True
    return messages


def _messages(step: Step) -> list[Message]:
    match step:
        case Ask(texts=texts):
            return [{"role": "user", "content": " ".join(f"say{n}" for n in texts)}]
        case Reply(here=()):
            return [{"role": "assistant", "content": f"say{step.n}"}]
        case Reply():
            calls = [_call(call) for call in step.here]
            return [{"role": "assistant", "content": "", "tool_calls": calls}]
        case Answers(reply=reply, backwards=backwards):
            answers = [_result(call) for call in reply.here]
            return answers[::-1] if backwards else answers


def _call(call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": f'{{"q": "arg{call.n}"}}'}
    return {"id": f"{call.n:09}", "type": "function", "function": function}


def _result(call: Call) -> Message:
    return {
        "role": "tool",
        "tool_call_id": f"{call.n:09}",
        "name": call.name,
        "content": f"res{call.n}",
    }
