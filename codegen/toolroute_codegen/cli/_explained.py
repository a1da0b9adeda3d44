"""The way of a call, for people and for programs."""

import sys
from collections.abc import Iterator
from typing import Any, Final, final

from toolroute import Refusal
from toolroute_codegen.cli._asking import Asking
from toolroute_codegen.cli._assume import Outcome
from toolroute_codegen.cli._explore import Branch, Fork, Item, explore
from toolroute_codegen.cli._named import quoted
from toolroute_codegen.cli._say import colour_on, out, out_json, painted, visible
from toolroute_codegen.cli._why import decided, decision_json, why
from toolroute_codegen.interpreter import Decision, Step

ANSWERS: Final = {
    "found": "if it finds a target",
    "allows": "if it allows the call",
    "call": "if it reads a call",
}

NOTHING: Final = {
    "lookup": "if it finds nothing",
    "unwrap": "if there is no call in it",
}


def tell(asking: Asking, output_format: str) -> None:
    """The call's way, on standard output."""
    way = explore(asking)
    if output_format == "json":
        out_json(
            {"version": 1, "call": _call_json(asking), "way": as_json(way, asking)}
        )
        return
    out(_call(asking))
    out("")
    for line in as_text(way, asking, colour=colour_on(sys.stdout)):
        out(line.rstrip())


def _call(asking: Asking) -> str:
    turn = "in a live turn" if asking.in_turn else "not in a live turn"
    present = ", ".join(asking.present) or "no capability"
    return (
        f"{quoted(asking.call.name)}, called by {asking.caller} {turn}, with {present}:"
    )


def _call_json(asking: Asking) -> dict[str, Any]:
    return {
        "name": asking.call.name,
        "caller": asking.caller,
        "in_turn": asking.in_turn,
        "present": list(asking.present),
        "assumed": {name: str(outcome) for name, outcome in asking.assumed.items()},
    }


def as_json(way: tuple[Item, ...], asking: Asking) -> list[dict[str, Any]]:
    """An object for each step, in order; after a fork, the way goes on in the list."""
    return [
        _step_json(item, asking) if isinstance(item, Step) else _fork_json(item, asking)
        for item in way
    ]


def _step_json(step: Step, asking: Asking) -> dict[str, Any]:
    end = None if step.decided is None else decision_json(step.decided)
    return {**_head_json(step, asking), "why": why(step, asking), "decision": end}


def _fork_json(fork: Fork, asking: Asking) -> dict[str, Any]:
    ends = [
        {"outcome": str(branch.outcome), "steps": as_json(branch.way, asking)}
        for branch in fork.branches
    ]
    on = {"outcome": str(fork.goes_on), "goes_on": True}
    return {**_head_json(fork.step, asking), "outcomes": [*ends, on]}


def _head_json(step: Step, asking: Asking) -> dict[str, Any]:
    at = step.route
    return {
        "what": step.what,
        "route": None if at is None else at + 1,
        "kind": None if at is None else asking.table.written.routes[at].kind,
        "asks": step.name or None,
        "call": step.call.name,
    }


def as_text(way: tuple[Item, ...], asking: Asking, *, colour: bool) -> Iterator[str]:
    """A line for each step; what a host would decide, with each of its outcomes."""
    return _Text(asking, colour=colour).trunk(way)


@final
class _Text:
    def __init__(self, asking: Asking, *, colour: bool) -> None:
        self._asking = asking
        self._routes = asking.table.written.routes
        self._colour = colour
        self._digits = len(str(len(self._routes)))
        self._kinds = max(len(kind) for kind in ("otherwise", *self._all_kinds()))
        self._margin = " " * (self._digits + self._kinds + 4)

    def _all_kinds(self) -> Iterator[str]:
        return (route.kind for route in self._routes)

    def trunk(self, way: tuple[Item, ...]) -> Iterator[str]:
        """The way itself: each route's first line begins with its number and kind."""
        before: Step | None = None
        for item in way:
            step = item if isinstance(item, Step) else item.step
            if before is not None and before.inner is not None:
                yield f"the call inside, {quoted(step.call.name)}:"
                before = None
            first, *rest = self._lines(item)
            yield self._head(step, before) + first
            yield from (self._margin + line for line in rest)
            before = step

    def _head(self, step: Step, before: Step | None) -> str:
        if step.route is None:
            kind = "otherwise" if step.what == "otherwise" else ""
            return f"{'':{self._digits}}  {kind:{self._kinds}}  "
        if before is not None and step.route == before.route:
            return self._margin
        kind = f"{self._routes[step.route].kind:{self._kinds}}"
        shown = painted(kind, "bold", colour=self._colour and step.what != "shape")
        return f"{step.route + 1:>{self._digits}}  {shown}  "

    def _lines(self, item: Item) -> Iterator[str]:
        if isinstance(item, Step):
            seen = why(item, self._asking)
            dim = self._colour and item.what == "shape"
            yield painted(seen, "dim", colour=dim)
            yield from self._end(item.decided)
            return
        step = item.step
        question = f"{step.what} {step.name}: only a running host knows"
        yield painted(question, "yellow", colour=self._colour)
        for branch in item.branches:
            yield f"  {_answer(branch.outcome, step)}:"
            yield from (f"    {line}" for line in self._branch(branch, step))
        yield f"  {_answer(item.goes_on, step)}:"

    def _branch(self, branch: Branch, step: Step) -> Iterator[str]:
        """What follows an answer; the step that only repeats it has no line."""
        if not branch.way:
            yield f"that call is decided; --assume {step.name}=TOOL shows how"
        for at, item in enumerate(branch.way):
            if at == 0 and isinstance(item, Step):
                yield from self._end(item.decided)
            else:
                yield from self._lines(item)

    def _end(self, decision: Decision | None) -> Iterator[str]:
        if decision is None:
            return
        style = "red" if isinstance(decision, Refusal) else "green"
        yield painted(f"-> {decided(decision)}", style, colour=self._colour)
        if isinstance(decision, Refusal):
            yield f"   {visible(decision.text, keep='')}"


def _answer(outcome: Outcome, step: Step) -> str:
    if outcome.word == "refuses":
        return f"if it refuses with {outcome.of}"
    if outcome.word == "nothing":
        return NOTHING[step.what]
    return ANSWERS[outcome.word]
