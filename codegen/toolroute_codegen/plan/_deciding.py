"""The bodies of `decide` and `surface`, and the table's own guard."""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.module import Function
from toolroute_codegen.plan._asking import asked_guard, otherwise, tells_near
from toolroute_codegen.plan._layout import INDENT, Group, Item, call, laid_out, literals
from toolroute_codegen.table import Written

_GUARD: Final = "_guard"


def decide(written: Written) -> Iterator[str]:
    """The statements of `decide`."""
    if tells_near(written):
        yield f"{INDENT}host = once(host)"
    step = "step(call, caller, host, in_turn)"
    asked = f"{_GUARD}(call, caller, host) or {step}" if written.guard else step
    yield from _indented(
        "made_in_turn = _IN_TURN[caller]",
        "if in_turn is None:",
        "    in_turn = made_in_turn",
        "try:",
        "    step = _STEPS.get(call.name)",
        "    if step is None:",
        "        call, step = _ROUTES.other(call)",
        "    if step is not None:",
        f"        decided = {asked}",
        "        if decided is not None:",
        "            return decided",
        "except Exception:",
        "    return check_failed(call.name)",
    )
    yield laid_out(otherwise(written), INDENT, "return ")


def surface(written: Written) -> Iterator[str]:
    """The statements of `surface`."""
    unasked = (
        *(name for name, guard in written.guards.items() if guard.sees == "input"),
        *written.unwraps,
    )
    arguments: list[Item] = ["_ROUTES", "offered_as", "host", "in_turn"]
    if unasked:
        names = literals(unasked)
        arguments.append(Group(f"unasked={names.head}", names.items, names.tail))
    if written.guard:
        arguments.append(f"guard={_GUARD}")
    yield f"{INDENT}offered_as, in_turn = _OFFERED[caller]"
    yield laid_out(call("surface_of", *arguments), INDENT, "return ")


def checked_first(written: Written) -> Iterator[Function]:
    """The function that asks the table's own guard, if it has one."""
    if written.guard is not None:
        parameters = ("call: ToolCall", "caller: Caller", "host: Host")
        group = Group(
            f"def {_GUARD}(", parameters, ") -> Refusal | None:", together=True
        )
        asked = asked_guard(written.guard, written)
        yield Function(laid_out(group), (*asked, f"{INDENT}return None"))


def _indented(*lines: str) -> Iterator[str]:
    return (f"{INDENT}{line}" for line in lines)
