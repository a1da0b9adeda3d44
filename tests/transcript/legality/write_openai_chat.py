from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    system: Message = {"role": "system", "content": "You tend a greenhouse."}
    return [system, *(message for step in talk.steps for message in _messages(step))]


def _messages(step: Step) -> list[Message]:
    match step:
        case Ask(texts=texts):
            return [_user(n) for n in texts]
        case Reply():
            return [_reply(step)]
        case Answers(reply=reply, tail=tail, backwards=backwards):
            answers = [_result(call) for call in reply.here]
            if backwards:
                answers.reverse()
            return answers + ([] if tail is None else [_user(tail)])


def _user(n: int) -> Message:
    return {"role": "user", "content": f"say{n}"}


def _reply(step: Reply) -> Message:
    message: Message = {"role": "assistant"}
    message["content"] = f"say{step.n}" if step.says else None
    if step.thinks:
        message["reasoning_content"] = f"think{step.n}"
    if step.here:
        message["tool_calls"] = [_call(call) for call in step.here]
    return message


def _call(call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": f'{{"q": "arg{call.n}"}}'}
    return {"id": f"call_{call.n}", "type": "function", "function": function}


def _result(call: Call) -> Message:
    key = f"call_{call.n}"
    return {"role": "tool", "tool_call_id": key, "content": f"res{call.n}"}
