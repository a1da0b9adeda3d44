from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    system: Message = {"type": "system", "content": "You tend a greenhouse."}
    return [system, *(m for step in talk.steps for m in _messages(step, talk.ids))]


def _messages(step: Step, blocks: bool) -> list[Message]:  # noqa: FBT001
    match step:
        case Ask(texts=texts):
            return [_human(n) for n in texts]
        case Reply():
            return [_reply(step, blocks)]
        case Answers(reply=reply, tail=tail, backwards=backwards):
            answers = [_result(call) for call in reply.here]
            if backwards:
                answers.reverse()
            return answers + ([] if tail is None else [_human(tail)])


def _human(n: int) -> Message:
    return {"type": "human", "content": f"say{n}"}


def _reply(step: Reply, blocks: bool) -> Message:  # noqa: FBT001
    content: Any = f"say{step.n}" if step.says else ""
    if blocks:
        thought = {"type": "thinking", "thinking": f"think{step.n}", "signature": "E"}
        content = [thought] if step.thinks else []
        content += [{"type": "text", "text": f"say{step.n}"}] if step.says else []
        content += [_block(call) for call in step.here]
    calls = [_call(call) for call in step.here]
    message: Message = {"type": "ai", "content": content, "tool_calls": calls}
    return message | {"invalid_tool_calls": []}


def _block(call: Call) -> dict[str, Any]:
    given = {"q": f"arg{call.n}"}
    key = f"call_{call.n}"
    return {"type": "tool_use", "id": key, "name": call.name, "input": given}


def _call(call: Call) -> dict[str, Any]:
    given = {"q": f"arg{call.n}"}
    key = f"call_{call.n}"
    return {"name": call.name, "args": given, "id": key, "type": "tool_call"}


def _result(call: Call) -> Message:
    return {
        "type": "tool",
        "content": f"res{call.n}",
        "name": call.name,
        "tool_call_id": f"call_{call.n}",
        "status": "error" if call.fails else "success",
    }
