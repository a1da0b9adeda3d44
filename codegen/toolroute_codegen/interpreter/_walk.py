"""The design's `decide`, over the parsed table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from toolroute import Refusal, ToolCall
from toolroute.routing import near, one_line
from toolroute_codegen.interpreter._names import routed_name
from toolroute_codegen.interpreter._types import Decision, Step, Taken, World
from toolroute_codegen.shapes import sendable, takes
from toolroute_codegen.table import RefuseEntry, Route, Table, Written
from toolroute_codegen.texts import Placeholder, pieces, placeholders


def decide(
    table: Table,
    call: ToolCall,
    caller: str,
    world: World,
    in_turn: bool | None = None,  # noqa: FBT001 - as in the module
) -> Decision:
    """What becomes of `call`."""
    *_, last = walk(table, call, caller, world, in_turn)
    if last.decided is None:
        raise AssertionError("a walk ends in a decision")
    return last.decided


def walk(
    table: Table,
    call: ToolCall,
    caller: str,
    world: World,
    in_turn: bool | None = None,  # noqa: FBT001 - as in the module
) -> Iterator[Step]:
    """The way to the decision, step by step."""
    if in_turn is None:
        in_turn = table.written.callers[caller].road in ("turn", "script")
    return _Walk(table.written, caller, world, in_turn).of(call)


def surface(table: Table, caller: str, world: World) -> list[str]:
    """The names that `caller` is offered, in the table's order."""
    return _surface(table.written, caller, world)


def _surface(written: Written, caller: str, world: World) -> list[str]:
    """The names that `caller` is offered: each is taken by the route it stands for."""
    offered_as, in_turn = _offered(written, caller)
    looking = _Walk(
        written, offered_as, _Unasked(written, world), in_turn, tells_near=False
    )
    names: dict[str, None] = {}
    for at, route in enumerate(written.routes):
        for name in _candidates(route, world):
            *_, last = looking.of(ToolCall("", name))
            taken = last.decided
            if isinstance(taken, Taken) and (taken.route, taken.call.name) == (
                at,
                name,
            ):
                names[name] = None
    return list(names)


def _offered(written: Written, caller: str) -> tuple[str, bool]:
    road = written.callers[caller].road
    if road != "puppet":
        return (caller, road in ("turn", "script"))
    turns = (name for name, who in written.callers.items() if who.road == "turn")
    return (next(turns, caller), True)


def _candidates(route: Route, world: World) -> list[str]:
    try:
        if route.advertise == "never" or not all(map(world.has, route.advertise)):
            return []
        if route.names is not None:
            return list(route.names)
        listed = [name for name in world.listed(route.kind) if isinstance(name, str)]
    except Exception:  # noqa: BLE001 - what can't be checked isn't offered
        return []
    return [name for name in listed if sendable(name) and takes(route, name)]


@final
@dataclass(frozen=True, slots=True)
class _Unasked:
    """A world that says nothing of a call's input, since there is only a name."""

    written: Written
    world: World

    def has(self, capability: str) -> bool:
        return self.world.has(capability)

    def lookup(self, lookup: str, name: str) -> object:
        return self.world.lookup(lookup, name)

    def guard(self, guard: str, call: ToolCall, caller: str) -> object:
        if self.written.guards[guard].sees == "input":
            return None
        return self.world.guard(guard, call, caller)

    def unwrap(self, unwrap: str, call: ToolCall) -> object:  # noqa: ARG002 - unasked
        return None

    def listed(self, kind: str) -> Iterable[object]:
        return self.world.listed(kind)


@final
@dataclass(frozen=True, slots=True)
class _Walk:
    written: Written
    caller: str
    world: World
    in_turn: bool
    tells_near: bool = True

    def of(self, call: ToolCall, *, inside: bool = False) -> Iterator[Step]:
        name = routed_name(self.written, call.name)
        if name != call.name:
            call = ToolCall(call.id, name, call.input)
            yield Step("renamed", call, name=name, passed=True)
        if sendable(name) is None:
            yield Step("outside", call, decided=self._otherwise(call))
            return
        for step in self._in_order(call, inside=inside):
            yield step
            if step.decided is not None:
                return
        yield Step("otherwise", call, decided=self._otherwise(call))

    def _in_order(self, call: ToolCall, *, inside: bool) -> Iterator[Step]:
        yield from _closed(call, None, self._first(call))
        for at, route in enumerate(self.written.routes):
            tried = self._tried(at, route, call, inside=inside)
            yield from _closed(call, at, tried)

    def _first(self, call: ToolCall) -> Iterator[Step]:
        if self.written.guard is not None:
            yield self._asked(self.written.guard, call, None)

    def _tried(
        self, at: int, route: Route, call: ToolCall, *, inside: bool
    ) -> Iterator[Step]:
        for step in self._tests(at, route, call):
            if step.inner is not None and inside:
                yield Step("nested", call, at, decided=self._otherwise(call))
                return
            yield step
            if step.inner is not None:
                yield from self.of(step.inner, inside=True)
                return
            if not step.passed:
                return

    def _tests(self, at: int, route: Route, call: ToolCall) -> Iterator[Step]:
        """What is tested of a route, in order; the first that isn't passed ends it."""
        if not takes(route, call.name):
            yield Step("shape", call, at)
        for capability in route.requires:
            if not self.world.has(capability):
                refused = self._said(route.when_missing, call, capability=capability)
                yield Step("absent", call, at, capability, decided=refused)
        target = None
        if route.lookup is not None:
            target = self._found(route.lookup, call.name)
            refused = target if isinstance(target, Refusal) else None
            passed = target is not None and refused is None
            yield Step("lookup", call, at, route.lookup, passed=passed, decided=refused)
        yield from self._refused(at, route, call)
        if route.off_turn is not None and not self._is_live(route):
            refused = self._said(route.off_turn, call)
            yield Step("off_turn", call, at, decided=refused)
        if route.guard is not None:
            yield self._asked(route.guard, call, at)
        if route.unwrap is not None:
            inner = self._unwrapped(route.unwrap, call)
            yield Step("unwrap", call, at, route.unwrap, inner=inner, passed=True)
        parts = None
        if route.split is not None:
            before, _, after = call.name.partition(route.split)
            parts = (before, after)
        taken = Taken(at, route.kind, call, target, parts)
        yield Step("taken", call, at, passed=True, decided=taken)

    def _refused(self, at: int, route: Route, call: ToolCall) -> Iterator[Step]:
        for entry, refuse in enumerate(route.refuse):
            if self._holds(refuse, call):
                refused = self._said(refuse.with_, call)
                yield Step("refuse", call, at, entry=entry, decided=refused)

    def _holds(self, entry: RefuseEntry, call: ToolCall) -> bool:
        has = self.world.has
        return (
            (entry.callers is None or self.caller in entry.callers)
            and (entry.names is None or call.name in entry.names)
            and (entry.when is None or all(map(has, entry.when)))
            and (entry.unless is None or not all(map(has, entry.unless)))
        )

    def _is_live(self, route: Route) -> bool:
        on_turn = self.written.callers[self.caller].road == "turn"
        return self.in_turn and (route.plane == "server" or on_turn)

    def _asked(self, guard: str, call: ToolCall, at: int | None) -> Step:
        answer = self.world.guard(guard, call, self.caller)
        refused = _declared(answer, self.written.guards[guard].refuses)
        return Step("guard", call, at, guard, passed=refused is None, decided=refused)

    def _found(self, lookup: str, name: str) -> object:
        answer = self.world.lookup(lookup, name)
        if isinstance(answer, Refusal):
            return _declared(answer, self.written.lookups[lookup].refuses)
        if isinstance(answer, bool):
            raise TypeError(f"the lookup {lookup} answered {answer!r}")
        return answer

    def _unwrapped(self, unwrap: str, call: ToolCall) -> ToolCall | None:
        inner = self.world.unwrap(unwrap, call)
        if inner is None:
            return None
        if not isinstance(inner, ToolCall) or not _is_whole(inner.name, inner.input):
            raise TypeError(f"the unwrap {unwrap} answered {inner!r}")
        return ToolCall(call.id, inner.name, inner.input)

    def _otherwise(self, call: ToolCall) -> Refusal:
        close = ""
        words = self.written.refusals[self.written.otherwise]
        if self.tells_near and "near" in placeholders(words.text):
            close = near(call.name, _surface(self.written, self.caller, self.world))
        refused = self._said(self.written.otherwise, call, near=close)
        if refused is None:
            raise AssertionError("a table has an `otherwise`")
        return refused

    def _said(
        self, refusal: str | None, call: ToolCall, **given: str
    ) -> Refusal | None:
        if refusal is None:
            return None
        words = self.written.refusals[refusal]
        values = {"name": call.name, "caller": self.caller, **given}
        text = "".join(
            one_line(values[each.name]) if isinstance(each, Placeholder) else str(each)
            for each in pieces(words.text)
        )
        return Refusal(refusal, words.code, words.retry, text)


def _closed(call: ToolCall, at: int | None, steps: Iterator[Step]) -> Iterator[Step]:
    """These steps, and the refusal in place of the one at which the host raises."""
    try:
        yield from steps
    except Exception:  # noqa: BLE001 - closed: whatever a host raises
        text = f"{one_line(call.name)} couldn't be checked, so nothing was done."
        refused = Refusal("check_failed", "CHECK_FAILED", "yes", text)
        yield Step("failed", call, at, decided=refused)


def _is_whole(name: object, arguments: object) -> bool:
    return isinstance(name, str) and isinstance(arguments, Mapping)


def _declared(answer: object, ids: Sequence[str]) -> Refusal | None:
    if answer is None or (isinstance(answer, Refusal) and answer.id in ids):
        return answer
    raise TypeError(f"the host answered {answer!r}, not one of {ids}")
