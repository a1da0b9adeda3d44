"""A conversation fork keeps to its home channel, whoever names the fork.

Which channel a call names is read here alone, so that the guard and the handler can't
read two different ones.
"""

from typing import Any, Final

from toolroute import Refusal, ToolCall
from toolroute_host.dispatch import (
    fork_cannot_close,
    fork_cannot_open,
    fork_cannot_publish,
)

KEY: Final = "channelId"


def channel_named(call: ToolCall, home: str | None) -> Any:
    """The channel that a call names; a fork that names none means its home."""
    named = call.input.get(KEY)
    return home if named is None else named


def refused(call: ToolCall, home: str | None) -> Refusal | None:
    """What a fork with this home can't do, if the call is that."""
    if home is None:
        return None
    channel = channel_named(call, home)
    match call.name:
        case "channel_open":
            return fork_cannot_open(home=home)
        case "channel_publish" if channel != home:
            return fork_cannot_publish(home=home, channel=str(channel))
        case "channel_close" if channel != home:
            return fork_cannot_close(home=home, channel=str(channel))
        case _:
            return None
