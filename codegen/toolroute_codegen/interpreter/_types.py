"""What a decision is made of: the world that is asked, and the steps on the way."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, final

from toolroute import Refusal, ToolCall


class World(Protocol):
    """What is so when a call is decided: a host, or assumptions about one."""

    def has(self, capability: str) -> bool:
        """Whether it is present."""
        ...

    def lookup(self, lookup: str, name: str) -> object:
        """The target, a `Refusal`, or None."""
        ...

    def guard(self, guard: str, call: ToolCall, caller: str) -> object:
        """A `Refusal`, or None."""
        ...

    def unwrap(self, unwrap: str, call: ToolCall) -> object:
        """The `ToolCall` that is inside, or None."""
        ...

    def listed(self, kind: str) -> Iterable[object]:
        """The names of this kind that the host offers."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Taken:
    """The route at this position takes the call, with what the match learnt."""

    route: int
    kind: str
    call: ToolCall
    target: object = None
    parts: tuple[str, str] | None = None


Decision: TypeAlias = Taken | Refusal

What: TypeAlias = Literal[
    "renamed",  # `name` is the form of the call's name that some route takes
    "outside",  # no provider sends the name: refused
    "guard",  # the guard `name` was asked, of the table if there's no `route`
    "shape",  # the name isn't one of the route's
    "absent",  # the capability `name` is absent: on to the next, or `when_missing`
    "lookup",  # the lookup `name` was asked
    "refuse",  # the entry `entry` of the route's `refuse` holds
    "off_turn",  # the call isn't made in a live turn
    "unwrap",  # the unwrap `name` was asked; `inner` is the call that it read
    "nested",  # the inner call carries another: refused
    "taken",
    "otherwise",  # no route took it
    "failed",  # what was asked raised, or answered what the table doesn't declare
]


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way; the last has `decided`, and so has no other.

    `passed` is whether the route is still in the running. `call` is the one being
    decided: the inner one, once an unwrap has read it.
    """

    what: What
    call: ToolCall
    route: int | None = None
    name: str = ""
    entry: int | None = None
    inner: ToolCall | None = None
    passed: bool = False
    decided: Decision | None = None
