"""The bodies of `decide` and `surface`."""

from collections.abc import Iterator
from typing import Final

from toolroute_codegen.plan._asking import asked_guard, otherwise, tells_near
from toolroute_codegen.plan._layout import (
    INDENT,
    Item,
    call,
    keyword,
    laid_out,
    literal,
    literals,
)
from toolroute_codegen.table import Written

_STEP: Final = 3 * INDENT


def decide(written: Written) -> Iterator[str]:
    """The statements of `decide`."""
    if tells_near(written):
        yield f"{INDENT}host = once(host)"
    yield from _BEFORE
    if written.guard is not None:
        yield from asked_guard(written.guard, written, _STEP)
    yield from _AFTER
    yield laid_out(otherwise(written), INDENT, "return ")


_BEFORE: Final = (
    "    made_in_turn = _IN_TURN[caller]",
    "    if in_turn is None:",
    "        in_turn = made_in_turn",
    "    try:",
    "        step = _STEPS.get(call.name)",
    "        if step is None:",
    "            call, step = _ROUTES.other(call)",
    "        if step is not None:",
)
_AFTER: Final = (
    "            decided = step(call, caller, host, in_turn)",
    "            if decided is not None:",
    "                return decided",
    "    except Exception:",
    "        return check_failed(call.name)",
)


def surface(written: Written) -> Iterator[str]:
    """The statements of `surface`."""
    unasked = (
        *(name for name, guard in written.guards.items() if guard.sees == "input"),
        *written.unwraps,
    )
    arguments: list[Item] = ["_ROUTES", "offered_as", "host", "in_turn"]
    if unasked:
        arguments.append(keyword("unasked", literals(unasked)))
    if written.guard is not None and written.guard not in unasked:
        arguments.append(f"guard={literal(written.guard)}")
    yield f"{INDENT}offered_as, in_turn = _OFFERED[caller]"
    yield laid_out(call("surface_of", *arguments), INDENT, "return ")
