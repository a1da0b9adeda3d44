"""The items of OpenAI Responses: which output answers which call."""

from collections.abc import Mapping
from typing import Any, Final

from toolroute.transcript._model import Call, Out, Turn
from toolroute.transcript._work import Work

CALLS: Final[Mapping[str, str]] = {
    "apply_patch_call": "call_id",
    "computer_call": "call_id",
    "custom_tool_call": "call_id",
    "function_call": "call_id",
    "local_shell_call": "call_id",
    "mcp_approval_request": "id",
    "shell_call": "call_id",
    "tool_search_call": "call_id",
}
"""The client's calls, and the field that pairs them."""

ANSWERS: Final[Mapping[str, tuple[str, str]]] = {
    "apply_patch_call_output": ("apply_patch_call", "call_id"),
    "computer_call_output": ("computer_call", "call_id"),
    "custom_tool_call_output": ("custom_tool_call", "call_id"),
    "function_call_output": ("function_call", "call_id"),
    "local_shell_call_output": ("local_shell_call", "id"),
    "mcp_approval_response": ("mcp_approval_request", "approval_request_id"),
    "shell_call_output": ("shell_call", "call_id"),
    "tool_search_output": ("tool_search_call", "call_id"),
}
"""What answers a call of which type, and the field that pairs it."""

SERVER_ITEMS: Final = frozenset(
    {
        "code_interpreter_call",
        "file_search_call",
        "image_generation_call",
        "mcp_call",
        "mcp_list_tools",
        "program",
        "program_output",
        "web_search_call",
    }
)
"""What the server ran itself; such an item holds its own result."""


def is_server(item: Any) -> bool:
    """Whether the server ran this search for tools itself."""
    kind = item.get("type")
    return kind in ("tool_search_call", "tool_search_output") and (
        item.get("execution") != "client"
    )


def same(first: Any, item: Any) -> bool:
    """Whether an item is another one with the same content."""
    try:
        return first is not item and bool(first == item)
    except RecursionError:
        return False


def by_item_id(turns: list[Turn]) -> None:
    """Find the calls of outputs that carry a call's item `id` instead of its `call_id`.

    A local shell's output may; any other is told from its call by that.
    """
    calls = {call.id: call for turn in turns for call in turn.calls}
    named: dict[str, Call] = {}
    for call in calls.values():
        item_id = call.raw.get("id")
        if call.id and item_id and isinstance(item_id, str):
            named.setdefault(item_id, call)
    answered = {result.id for turn in turns for result in turn.results}
    for result in (result for turn in turns for result in turn.results):
        asked = named.get(result.id or "")
        if asked is None or result.id in calls or asked.id in answered:
            continue
        if result.message < asked.message:
            continue
        if asked.family != result.family or result.family != "local_shell_call":
            result.given_id, result.family = result.id, ""
        answered.add(asked.id)
        result.id = asked.id


def settle_items(work: Work) -> None:
    """Reasoning keeps the item it belongs to, and no item stands there twice."""
    _texts_in_front(work)
    _reasoning(work)
    _one_each(work)


def _reasoning(work: Work) -> None:
    outs: list[Out] = []
    goes_on = False
    for out in reversed(work.outs):
        if _kind(out) == "reasoning":
            if not goes_on:
                _orphan_reasoning(work, out)
                continue
        elif out.role != "copy":
            goes_on = out.role in ("model", "server")
        outs.append(out)
    outs.reverse()
    work.outs = outs


def _kind(out: Out) -> Any:
    return out.message.get("type")


def _orphan_reasoning(work: Work, out: Out) -> None:
    item_id = out.message.get("id")
    work.report(
        "orphan_reasoning",
        out.source or 0,
        call_id=item_id,
        remedy="left out: its item isn't there any more",
    )
    work.note(
        "removed",
        out.source,
        "Reasoning whose item isn't there any more is left out.",
        call_id=item_id,
        removed=out.message,
    )


def _texts_in_front(work: Work) -> None:
    """An orphan's text doesn't come between reasoning and the item it belongs to."""
    outs: list[Out] = []
    reasoning: list[Out] = []
    for out in work.outs:
        turn = work.turns[out.source] if out.source is not None else None
        if _kind(out) == "reasoning":
            reasoning.append(out)
            continue
        if not (out.role == "user" and turn is not None and turn.role == "result"):
            outs += reasoning
            reasoning = []
        outs.append(out)
    work.outs = outs + reasoning


def _one_each(work: Work) -> None:
    seen: set[str] = set()
    outs: list[Out] = []
    for out in work.outs:
        kind, item_id = _kind(out), out.message.get("id")
        keyed = kind in ("item_reference", "local_shell_call_output", None)
        if not isinstance(item_id, str) or keyed or item_id not in seen:
            if isinstance(item_id, str) and not keyed:
                seen.add(item_id)
            outs.append(out)
            continue
        if not any(call.new_id for call in out.calls):
            _report_double(work, out)
        if _is_copy(work, out):
            _leave_out(work, out)
            continue
        out.message = {k: v for k, v in out.message.items() if k != "id"}
        text = "An item lost its own id, which another item has."
        work.note("rewritten", out.source, text, removed=item_id)
        outs.append(out)
    work.outs = outs


def _is_copy(work: Work, out: Out) -> bool:
    turn = work.turns[out.source] if out.source is not None else None
    return turn is not None and turn.role == "copy"


def _leave_out(work: Work, out: Out) -> None:
    text = "An item that stands there twice is left out once."
    item_id = out.message.get("id")
    work.note("removed", out.source, text, call_id=item_id, removed=out.message)


def _report_double(work: Work, out: Out) -> None:
    work.report(
        "duplicate_call_id",
        out.source or 0,
        call_id=out.message.get("call_id") or out.message.get("id"),
        remedy="left out" if _is_copy(work, out) else "it loses its own `id`",
    )
