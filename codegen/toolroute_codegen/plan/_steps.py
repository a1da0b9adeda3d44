"""One function a distinct route: what it says to a call whose name it takes."""

from collections.abc import Iterator
from typing import Final, TypeAlias, final

from toolroute_codegen.module import Function
from toolroute_codegen.names import FUNCTION_NAMES, MODULE_NAMES, class_name
from toolroute_codegen.plan._asking import asked_guard, otherwise
from toolroute_codegen.plan._conditions import Known
from toolroute_codegen.plan._kinds import held
from toolroute_codegen.plan._layout import (
    INDENT,
    after_equals,
    call,
    laid_out,
    literal,
    literals,
    operands,
    signature,
)
from toolroute_codegen.plan._refusals import made
from toolroute_codegen.table import Route, Written

_INNER: Final = 2 * INDENT

Key: TypeAlias = tuple[object, ...]


def key_of(route: Route) -> Key:
    """What tells this route's step from another's: all but its names and its doc."""
    return (
        route.kind,
        route.names is None and route.split,
        route.lookup,
        route.requires,
        route.when_missing,
        route.refuse,
        route.off_turn,
        route.guard,
        route.unwrap,
    )


def always(route: Route) -> bool:
    """Whether the step of `route` never leaves a call to a later one."""
    if route.lookup is not None:
        return False
    return not route.requires or route.when_missing is not None


def step_of(route: Route, name: str, known: Known, uses: set[str]) -> Function:
    """The step of `route`, and of those that differ from it in names only."""
    parameters = ("call: ToolCall", "caller: Caller", "host: Host", "in_turn: bool")
    head = signature(name, parameters, "Route | Refusal | None")
    body = list(_Body(route, known, uses).statements())
    if route.unwrap is not None or len(known.reads) > len(set(known.reads)):
        uses.add("once")
        body.insert(0, f"{INDENT}host = once(host)")
    return Function(laid_out(head), tuple(body))


@final
class _Body:
    """The statements of a step, in the order of the design's `decide`.

    `ended`: a call that comes this far has been refused, whoever makes it.
    """

    def __init__(self, route: Route, known: Known, uses: set[str]) -> None:
        self._route: Final = route
        self._written: Final = known.written
        self._known: Final = known
        self._uses: Final = uses
        self._ended = False
        self._held: Final = _locals(route, known.written)

    def statements(self) -> Iterator[str]:
        """The statements, each laid out at its indent."""
        for stage in (
            self._required,
            self._looked_up,
            self._refused,
            self._off_turn,
            self._guarded,
            self._unwrapped,
            self._taken,
        ):
            if not self._ended:
                yield from stage()

    def _required(self) -> Iterator[str]:
        for capability in dict.fromkeys(self._route.requires):
            absent = self._known.is_absent(capability)
            if capability in self._held:
                local = self._held[capability]
                yield after_equals(f"{local} = ", f"host.{capability}", INDENT)
                absent = f"{local} is None"
            yield f"{INDENT}if {absent}:"
            if self._route.when_missing is None:
                yield f"{_INNER}return None"
            else:
                given = {"capability": literal(capability)}
                yield self._refusing(self._route.when_missing, _INNER, given)
            self._known.present.add(capability)

    def _looked_up(self) -> Iterator[str]:
        if self._route.lookup is None:
            return
        self._uses.add("found")
        refuses = literals(self._written.lookups[self._route.lookup].refuses)
        asked = call(f"host.{self._route.lookup}", "call.name")
        yield laid_out(call("found", asked, refuses, "REFUSALS"), INDENT, "target = ")
        yield f"{INDENT}if target is None or isinstance(target, Refusal):"
        yield f"{_INNER}return target"

    def _refused(self) -> Iterator[str]:
        for entry in self._route.refuse:
            for parts in self._known.conditions(entry):
                if not parts:
                    yield self._refusing(entry.with_, INDENT)
                    self._ended = True
                    return
                yield operands("if ", parts, "and", ":", INDENT)
                yield self._refusing(entry.with_, _INNER)

    def _off_turn(self) -> Iterator[str]:
        if self._route.off_turn is None:
            return
        parts = ["not in_turn"]
        if self._route.plane == "client":
            parts += self._known.not_on_road("turn")
        if "" in parts:
            yield self._refusing(self._route.off_turn, INDENT)
            self._ended = True
            return
        yield operands("if ", parts, "or", ":", INDENT)
        yield self._refusing(self._route.off_turn, _INNER)

    def _guarded(self) -> Iterator[str]:
        if self._route.guard is not None:
            self._uses.add("declared")
            yield from asked_guard(self._route.guard, self._written)

    def _unwrapped(self) -> Iterator[str]:
        if self._route.unwrap is None:
            return
        self._uses.update(("unwrapped", "inside", "is_inside"))
        asked = call(f"host.{self._route.unwrap}", "call")
        yield laid_out(call("unwrapped", asked, "call"), INDENT, "inner = ")
        yield f"{INDENT}if inner is not None:"
        yield f"{_INNER}if is_inside(host):"
        yield laid_out(otherwise(self._written), _INNER + INDENT, "return ")
        yield f"{_INNER}return decide(inner, caller, inside(host), in_turn)"

    def _taken(self) -> Iterator[str]:
        arguments = ["call"]
        if self._route.lookup is not None:
            arguments.append("target")
        if self._route.split is not None:
            parted = call("call.name.partition", literal(self._route.split))
            yield laid_out(parted, INDENT, "before, _, after = ")
            arguments += ["before", "after"]
        made_of = call(class_name(self._route.kind), *arguments, *self._held.values())
        yield laid_out(made_of, INDENT, "return ")

    def _refusing(
        self, refusal: str, indent: str, given: dict[str, str] | None = None
    ) -> str:
        words = self._written.refusals[refusal]
        return laid_out(made(refusal, words, given), indent, "return ")


_LOCALS: Final = MODULE_NAMES | FUNCTION_NAMES | {"_"}


def _locals(route: Route, written: Written) -> dict[str, str]:
    """The variable of each capability that the route holds: its name, if it's free."""
    taken = {class_name(route.kind), *_LOCALS}
    found: dict[str, str] = {}
    for capability in held(route, written.capabilities):
        local = capability
        while local in taken or local in written.refusals:
            local += "_"
        taken.add(local)
        found[capability] = local
    return found
