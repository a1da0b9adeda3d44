"""Each step of a call's way, said in words."""

from typing import Any, Final, assert_never

from toolroute import Refusal
from toolroute_codegen.cli._asking import Asking
from toolroute_codegen.cli._named import quoted
from toolroute_codegen.cli._words import MOST_NAMES, holds, takes
from toolroute_codegen.interpreter import Decision, Step, Taken

SEEN: Final[dict[str, str]] = {
    "outside": "no provider sends such a name",
    "nested": "the call inside carries another, and only one is read",
    "taken": "takes the call",
    "otherwise": "no route takes the call",
}


def why(step: Step, asking: Asking) -> str:
    """What the step saw."""
    if step.what in SEEN:
        return SEEN[step.what]
    match step.what:
        case "renamed":
            return f"no route takes it as sent; one takes {quoted(step.name)}"
        case "absent":
            return f"{step.name} is absent"
        case "failed":
            return f"{step.name} raises, as assumed"
        case "guard" | "lookup" | "unwrap":
            return _answered(step, asking)
        case _:
            return _of_route(step, asking)


def _of_route(step: Step, asking: Asking) -> str:
    route = asking.table.written.routes[step.route or 0]
    match step.what:
        case "shape":
            return f"takes only {takes(route, MOST_NAMES)}"
        case "refuse":
            return holds(route.refuse[step.entry or 0])
        case _:
            return _off_turn(asking, client=route.plane == "client")


def _answered(step: Step, asking: Asking) -> str:
    assumed = ", as assumed" if step.name in asking.assumed else ""
    match step.what:
        case "guard":
            answer = "allows it" if step.passed else "refuses it"
        case "unwrap":
            inner = step.inner
            answer = "reads no call" if inner is None else f"reads {quoted(inner.name)}"
        case _:
            answer = "finds it" if step.passed else "finds nothing"
            answer = "refuses it" if step.decided is not None else answer
    return f"{step.what} {step.name} {answer}{assumed}"


def _off_turn(asking: Asking, *, client: bool) -> str:
    if client and asking.in_turn:
        return f"{asking.caller} isn't on a turn's own road, and this runs in a client"
    return "the call isn't made in a live turn"


def decided(decision: Decision) -> str:
    """Where the call ends."""
    if isinstance(decision, Refusal):
        return f"refused: {decision.id} ({decision.code}, retry {decision.retry})"
    learnt = ""
    if decision.parts is not None:
        learnt = " ({} and {})".format(*map(quoted, decision.parts))
    return f"the handler of {decision.kind} gets {quoted(decision.call.name)}{learnt}"


def decision_json(decision: Decision) -> dict[str, Any]:
    """The same, for programs."""
    match decision:
        case Refusal():
            return {
                "refused": decision.id,
                "code": decision.code,
                "retry": decision.retry,
                "text": decision.text,
            }
        case Taken():
            parts = None if decision.parts is None else list(decision.parts)
            return {"kind": decision.kind, "name": decision.call.name, "parts": parts}
        case _:
            assert_never(decision)
