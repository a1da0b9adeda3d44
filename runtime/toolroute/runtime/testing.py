"""A stand-in for a loop that isn't ours, as awkward as real ones are.

In one step it runs the server tools of an assistant message; where the message has a
client tool, too, it suspends for that, and drops what the server tools gave.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from toolroute._calls import ToolCall
from toolroute.runtime._capture import Tool

__all__ = ["CallInfo", "Left", "StandInLoop"]


@final
@dataclass(frozen=True, slots=True)
class CallInfo:
    """What the loop passes to a tool, before its input."""

    tool_call_id: str


@final
@dataclass(frozen=True, slots=True)
class Left:
    """What a step leaves behind.

    `results` by place; empty where the loop suspended. `pending` are the client calls.
    """

    results: Mapping[int, Any] = field(default_factory=dict[int, Any])
    pending: Sequence[ToolCall] = ()


@final
class StandInLoop:
    """Runs one step at a time, over a toolset that it is handed.

    `client` are the names of tools that run elsewhere. With `passes_ids` a tool gets a
    `CallInfo` first. `runs` is how many server tools it runs before it suspends: all,
    if not said.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool],
        client: Collection[str] = (),
        *,
        passes_ids: bool = True,
        runs: int | None = None,
    ) -> None:
        self._tools = tools
        self._client = client
        self._passes_ids = passes_ids
        self._runs = runs

    async def step(self, calls: Sequence[ToolCall]) -> Left:
        """Run the tools that an assistant message calls, all at once."""
        pending = [call for call in calls if call.name in self._client]
        server = [one for one in enumerate(calls) if one[1].name not in self._client]
        if pending and self._runs is not None:
            server = server[: self._runs]
        given = await asyncio.gather(
            *(self._run(call) for _, call in server), return_exceptions=True
        )
        if pending:
            return Left(pending=pending)
        raised = next((one for one in given if isinstance(one, BaseException)), None)
        if raised is not None:
            raise raised
        places = (place for place, _ in server)
        return Left(results=dict(zip(places, given, strict=True)))

    async def _run(self, call: ToolCall) -> Any:
        first = (CallInfo(call.id),) if self._passes_ids else ()
        given = self._tools[call.name](*first, **call.input)
        return await given if asyncio.iscoroutine(given) else given
