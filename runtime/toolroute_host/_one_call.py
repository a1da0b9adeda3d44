"""One call against a host's folder, on the road of its caller."""

from pathlib import Path
from typing import Literal, assert_never

from toolroute import ToolCall
from toolroute._text import one_line
from toolroute.runtime import Answer, LedgerError, PuppetError
from toolroute_host._unusable import UnusableError
from toolroute_host.assembly import Hosted, opened
from toolroute_host.config import ConfigError
from toolroute_host.dispatch import Caller
from toolroute_host.mcp_config import ServersError
from toolroute_host.store import StoreError
from toolroute_host.turns import run_round


async def make(
    folder: Path, tool_call: ToolCall, caller: Caller, agent: str | None
) -> Answer:
    """Make the call, and give its answer; `UnusableError` when it can't be made."""
    try:
        async with opened(folder) as hosted:
            return await made(hosted, tool_call, caller, made_as(hosted, caller, agent))
    except (ConfigError, LedgerError, ServersError, StoreError) as error:
        raise UnusableError(str(error)) from error


async def made(
    hosted: Hosted, tool_call: ToolCall, caller: Caller, agent: str | None
) -> Answer:
    """A call on the road of its caller, made as whom `made_as` says."""
    match caller:
        case "host":
            return await hosted.runtime.host(agent).call(tool_call)
        case "module":
            return await hosted.terminal.call(tool_call, agent=agent)
        case "turn" | "script" | "puppet":
            if agent is None:
                raise AssertionError(f"a {caller} call is an agent's")
            return await _agents(hosted, tool_call, caller, agent)
        case _:
            assert_never(caller)


async def _agents(
    hosted: Hosted,
    tool_call: ToolCall,
    caller: Literal["turn", "script", "puppet"],
    agent: str,
) -> Answer:
    if caller == "puppet":
        try:
            return await hosted.runtime.puppet(agent).call(tool_call)
        except PuppetError as refused:
            return refused.answer
    async with hosted.runtime.turn(agent) as turn:
        if caller == "turn":
            return (await run_round(hosted.world, turn, [tool_call]))[0]
        async with turn.script() as script:
            return await script.call(tool_call)


def made_as(hosted: Hosted, caller: Caller, agent: str | None) -> str | None:
    """Whom a call is made as: the host's only agent, where it must be somebody."""
    if agent is None:
        return None if caller in {"host", "module"} else _only(hosted)
    if hosted.world.agents.get(agent) is None:
        there = ", ".join(each.name for each in hosted.world.agents) or "none"
        raise UnusableError(
            f"there is no agent {one_line(agent)} on this host. There is: {there}."
        )
    return agent


def _only(hosted: Hosted) -> str:
    names = [agent.name for agent in hosted.world.agents]
    if len(names) != 1:
        raise UnusableError(
            "the call must name one of the host's agents: "
            f"{', '.join(names) or 'there are none'}."
        )
    return names[0]
