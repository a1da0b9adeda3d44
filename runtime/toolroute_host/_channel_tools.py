"""The tools over the channels: list, open, close, decline, publish."""

from typing import Any, Final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute._text import one_line
from toolroute_host._arguments import required_text, whole_number, wrong
from toolroute_host._home import KEY, channel_named
from toolroute_host._kept import moment
from toolroute_host.channels import (
    LONGEST_MESSAGE,
    MOST_SHOWN,
    Channel,
    ChannelRegistry,
    Message,
    UnknownChannel,
)

TOOLS: Final = (
    "channel_close",
    "channel_decline",
    "channel_list",
    "channel_open",
    "channel_publish",
)


def answer(
    registry: ChannelRegistry,
    call: ToolCall,
    owner: str,
    *,
    home: str | None,
    backscroll: int,
) -> ToolResult:
    """Answer a channel tool; `backscroll` is how much an open shows unless it says."""
    match call.name:
        case "channel_list":
            return _list(registry, owner)
        case "channel_open":
            return _open(registry, call, owner, backscroll)
        case "channel_close":
            channel = _channel(registry, call, home)
            before = registry.set_state(owner, channel.id, "closed")
            return ToolResult({"channelId": channel.id, "closed": before == "open"})
        case "channel_decline":
            channel = _channel(registry, call, home)
            registry.set_state(owner, channel.id, "declined")
            return ToolResult({"channelId": channel.id, "declined": True})
        case "channel_publish":
            return _publish(registry, call, owner, home)
        case _:
            raise ToolError(f"Unknown channel tool: {call.name}")


def _list(registry: ChannelRegistry, owner: str) -> ToolResult:
    states = registry.states(owner)
    return ToolResult(
        {
            "channels": [
                {KEY: channel.id, "title": channel.title, "state": states[channel.id]}
                for channel in registry
            ]
        }
    )


def _open(
    registry: ChannelRegistry, call: ToolCall, owner: str, backscroll: int
) -> ToolResult:
    channel = _channel(registry, call, None)
    wanted = f"must be a whole number from 0 to {MOST_SHOWN}"
    most = whole_number(call, "backscroll", wanted, of=range(MOST_SHOWN + 1))
    registry.set_state(owner, channel.id, "open")
    shown = channel.recent(backscroll if most is None else most)
    return ToolResult(
        {KEY: channel.id, "open": True, "recent": [_shown(each) for each in shown]}
    )


def _publish(
    registry: ChannelRegistry, call: ToolCall, owner: str, home: str | None
) -> ToolResult:
    channel = _channel(registry, call, home)
    content = required_text(call, "content")
    if len(content) > LONGEST_MESSAGE:
        wanted = f"can hold at most {LONGEST_MESSAGE:,} characters"
        raise wrong(call, "content", wanted)
    message = registry.publish(channel.id, owner or "host", content)
    return ToolResult({KEY: channel.id, "sent": True, "at": moment(message.at)})


def _channel(registry: ChannelRegistry, call: ToolCall, home: str | None) -> Channel:
    named = channel_named(call, home)
    if not isinstance(named, str) or not named:
        raise wrong(call, KEY, "(string) is required")
    try:
        return registry.get(named)
    except UnknownChannel:
        raise ToolError(
            f"{call.name}: there is no channel {one_line(named)}, so nothing was done. "
            "channel_list shows those there are.",
            retry="with-changes",
        ) from None


def _shown(message: Message) -> dict[str, Any]:
    return {
        "author": message.author,
        "content": message.content,
        "at": moment(message.at),
    }
