"""The tools over the event gate: gate_status, wake rules, event_tags."""

from typing import Any, Final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host._arguments import one_of, required_text, wrong
from toolroute_host._kept import moment
from toolroute_host._rules import PARTS, Rule, RuleError, read
from toolroute_host.gate import HOST, MOST_RULES, EventGate

POSITIONS: Final = ("append", "prepend")
ADD: Final = ("name", "position", *PARTS)
LONGEST_NAME: Final = 200


def gate_status(gate: EventGate, owner: str) -> ToolResult:
    """Who sleeps until when, the rules as they are tried, and what was held."""
    return ToolResult(
        {
            "asleep_until": _moment_or_none(gate.asleep_until(owner)),
            "host_asleep_until": _moment_or_none(gate.asleep_until(HOST)),
            "deadlines": gate.deadlines(owner),
            "rules": [_shown(rule) for rule in gate.rules(owner)],
            "host_rules": []
            if owner == HOST
            else [_shown(r) for r in gate.rules(HOST)],
            "otherwise": "always",
            "held": gate.held(owner),
        }
    )


def add_rule(gate: EventGate, call: ToolCall, owner: str) -> ToolResult:
    """Answer `wake_add_rule`."""
    rule = _rule(call)
    position = call.input.get("position", "append")
    if position not in POSITIONS:
        raise wrong(call, "position", f"must be {one_of(POSITIONS)}")
    there = {other.name for other in gate.rules(owner)}
    if rule.name not in there and len(there) >= MOST_RULES:
        raise ToolError(
            f"{call.name}: there are {MOST_RULES} rules already, which is the most. "
            "Remove one with wake_remove_rule first.",
            retry="with-changes",
        )
    replaced = gate.add_rule(owner, rule, first=position == "prepend")
    return ToolResult({"rule": _shown(rule), "replaced": replaced})


def remove_rule(gate: EventGate, call: ToolCall, owner: str) -> ToolResult:
    """Answer `wake_remove_rule`."""
    return ToolResult({"removed": gate.remove_rule(owner, _name(call))})


def event_tags(gate: EventGate) -> ToolResult:
    """Every tag that a wake rule can name."""
    return ToolResult({"tags": gate.tags()})


def _rule(call: ToolCall) -> Rule:
    name = _name(call)
    for key in call.input:
        if key not in ADD:
            raise wrong(call, key, f"isn't known here. There is {', '.join(ADD)}.")
    try:
        return read(name, call.input)
    except RuleError as error:
        raise ToolError(f"{call.name}: {error}", retry="with-changes") from error


def _name(call: ToolCall) -> str:
    if not isinstance(call.input.get("name"), str):
        raise wrong(call, "name", "(string) is required")
    value = required_text(call, "name")
    if len(value) > LONGEST_NAME:
        raise wrong(call, "name", f"can hold at most {LONGEST_NAME} characters")
    return value


def _shown(rule: Rule) -> dict[str, Any]:
    return {"name": rule.name, **rule.written}


def _moment_or_none(at: float | None) -> str | None:
    return None if at is None else moment(at)
