from typing import Any

from .seen import Message
from .talk import Answers, Ask, Call, Reply, Step, Talk


def write(talk: Talk) -> list[Message]:
    return [item for step in talk.steps for item in _items(step)]


def _items(step: Step) -> list[Message]:
    match step:
        case Ask(texts=texts):
            return [_user(n) for n in texts]
        case Reply():
            return _reply(step)
        case Answers(reply=reply, tail=tail, backwards=backwards):
            answers = [_result(call) for call in reply.here]
            if backwards:
                answers.reverse()
            return answers + ([] if tail is None else [_user(tail)])


def _user(n: int) -> Message:
    content = [{"type": "input_text", "text": f"say{n}"}]
    return {"type": "message", "role": "user", "content": content}


def _reply(step: Reply) -> list[Message]:
    items: list[Message] = []
    if step.thinks:
        summary = [{"type": "summary_text", "text": f"think{step.n}"}]
        items.append({"type": "reasoning", "id": f"rs_{step.n}", "summary": summary})
    if step.says:
        items.append(_said(step.n))
    items += [_search(call) for call in step.calls if call.runs != "here"]
    return items + [_call(call) for call in step.here]


def _said(n: int) -> Message:
    text: dict[str, Any] = {"type": "output_text", "text": f"say{n}"}
    text["annotations"] = []
    return {
        "type": "message",
        "id": f"msg_{n}",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }


def _search(call: Call) -> Message:
    return {
        "type": "web_search_call",
        "id": f"ws_{call.n}",
        "status": "completed",
        "action": {"type": "search", "query": f"arg{call.n}"},
    }


def _call(call: Call) -> Message:
    if call.name == "list-beds":
        return {
            "type": "custom_tool_call",
            "call_id": f"call_{call.n}",
            "name": call.name,
            "input": f"arg{call.n}",
            "id": f"ctc_{call.n}",
        }
    return {
        "type": "function_call",
        "call_id": f"call_{call.n}",
        "name": call.name,
        "arguments": f'{{"q": "arg{call.n}"}}',
        "id": f"fc_{call.n}",
    }


def _result(call: Call) -> Message:
    custom = call.name == "list-beds"
    kind = "custom_tool_call_output" if custom else "function_call_output"
    return {"type": kind, "call_id": f"call_{call.n}", "output": f"res{call.n}"}
