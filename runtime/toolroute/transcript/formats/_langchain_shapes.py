"""The shapes that a LangChain message is stored in, around the same fields.

`convert_to_messages` takes flat messages, with `type` or with `role`, and those that
`dumpd` writes; `messages_from_dict` takes those of `messages_to_dict`.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from toolroute.transcript._json import is_list, is_record

Shape: TypeAlias = Literal["type", "role", "data", "kwargs"]
"""How a message says what it is; of the last two, the key that its fields stand in."""

_CLASSES: Final[Mapping[str, str]] = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
    "RemoveMessage": "remove",
}
_SCHEMA: Final = ["langchain", "schema", "messages"]
_ROLES: Final[Mapping[str, str]] = {"human": "user", "ai": "assistant"}


def shape_of(message: Any) -> Shape:
    if is_record(message.get("data")) and "content" not in message:
        return "data"
    if message.get("type") == "constructor" and is_record(message.get("kwargs")):
        return "kwargs"
    return "type" if message.get("role") is None else "role"


def kind_in(message: Any) -> Any:
    """What the message says that it is: `human`, `ai`, `tool` and so on."""
    match shape_of(message):
        case "kwargs":
            path = message.get("id")
            last = path[-1] if is_list(path) and path else None
            name = last.removesuffix("Chunk") if isinstance(last, str) else last
            return _CLASSES.get(name, name) if isinstance(name, str) else name
        case "role":
            return message["role"]
        case _:
            return message.get("type")


def fields_of(message: Any) -> Any:
    """`content`, `tool_calls` and the rest, wherever they stand."""
    shape = shape_of(message)
    return message[shape] if shape in ("data", "kwargs") else message


def with_fields(message: Any, fields: Mapping[str, Any]) -> Any:
    """The message with these fields instead of its own."""
    shape = shape_of(message)
    if shape in ("data", "kwargs"):
        return {**message, shape: {**message[shape], **fields}}
    return {**message, **fields}


def shaped(message: Mapping[str, Any], shape: Shape) -> Any:
    """A flat message, which has `type`, in another shape."""
    kind = message["type"]
    if shape == "type":
        return message
    if shape == "data":
        return {"type": kind, "data": dict(message)}
    if shape == "role":
        rest = {key: value for key, value in message.items() if key != "type"}
        return {"role": _ROLES.get(kind, kind), **rest}
    name = next(name for name, said in _CLASSES.items() if said == kind)
    path = [*_SCHEMA, name]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": dict(message)}
