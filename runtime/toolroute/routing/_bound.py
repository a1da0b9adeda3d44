from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, final

from toolroute._calls import Refusal, Road, ToolCall, ToolResult
from toolroute.routing._matched import ClientPlane, ServerPlane

CallerT = TypeVar("CallerT", bound=str)
HostT = TypeVar("HostT")
ServerT = TypeVar("ServerT", bound=ServerPlane)

Answering: TypeAlias = ToolResult | Awaitable[ToolResult]
"""What a handler gives: its result, or something to await for it."""


@final
@dataclass(frozen=True, slots=True)
class Bound(Generic[CallerT, HostT, ServerT]):
    """A generated module with a host's handlers in it: what the runtime works with.

    `decide` and `surface` are the module's own; `run` is its `dispatch` with the
    handlers; `roads` says which road each of the table's callers is on; `guards` names
    the host's members that are guards. A module's call is decided on what the host
    itself has, except that these are asked of the agent that the call names.
    """

    decide: Callable[
        [ToolCall, CallerT, HostT, bool | None], ServerT | ClientPlane | Refusal
    ]
    surface: Callable[[CallerT, HostT], Sequence[str]]
    run: Callable[[ServerT, Any], Answering]
    roads: Mapping[CallerT, Road]
    guards: frozenset[str]
    fingerprint: str
