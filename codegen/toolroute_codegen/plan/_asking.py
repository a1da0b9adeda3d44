"""The statements that ask a guard, and those that end a decision."""

from collections.abc import Iterator

from toolroute_codegen.plan._layout import INDENT, Group, call, laid_out, literals
from toolroute_codegen.plan._refusals import made
from toolroute_codegen.table import Written
from toolroute_codegen.texts import placeholders


def asked_guard(guard: str, written: Written, indent: str = INDENT) -> Iterator[str]:
    """Ask `guard` of the call, and refuse in its words if it says no."""
    sees = "call.name" if written.guards[guard].sees == "agent" else "call"
    yield laid_out(call(f"host.{guard}", sees, "caller"), indent, "refused = ")
    yield f"{indent}if refused is not None:"
    refuses = literals(written.guards[guard].refuses)
    held = call("declared", "refused", refuses, "REFUSALS")
    yield laid_out(held, indent + INDENT, "return ")


def otherwise(written: Written) -> Group:
    """The refusal of a call that no route takes."""
    near = call("near", "call.name", "surface(caller, host)")
    flat = f"{near.head}{', '.join(map(str, near.items))}{near.tail}"
    return made(written.otherwise, written.refusals[written.otherwise], {"near": flat})


def tells_near(written: Written) -> bool:
    """Whether a call that no route takes is told which names are close."""
    return "near" in placeholders(written.refusals[written.otherwise].text)
