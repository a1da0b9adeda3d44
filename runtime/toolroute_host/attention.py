"""`tune_out` and `focus`: which channels an agent isn't woken from, for how long.

Tuned out channels are named one by one; focus names the one channel that is left. Both
are kept, and end by themselves where they were given a time.
"""

from typing import Final, final

from toolroute import ToolCall, ToolResult
from toolroute_host._arguments import (
    one_of,
    optional_seconds,
    required_text,
    wrong,
)
from toolroute_host._kept import Kept, moment
from toolroute_host.events import Event, Verdict

__all__ = ["FocusedChannels", "MutedChannels"]

TUNE_OUT: Final = ("add", "remove", "list")
FOCUS: Final = ("on", "off", "status")


class _Quiet(Kept):
    """Channels with the moment at which each stops being quiet, `None` for never."""

    purpose: str

    def channels(self, owner: str) -> dict[str, float | None]:
        """The channels that this is on for, now."""
        rows = self._store.read(
            "SELECT channel, until FROM quiet WHERE owner = ? AND purpose = ? "
            "AND (until IS NULL OR until > ?) ORDER BY channel",
            owner,
            self.purpose,
            self._now(),
        )
        return dict(rows)

    def _set(self, owner: str, channel: str, seconds: float | None) -> None:
        until = None if seconds is None else self._now() + seconds
        with self._store.change() as db:
            db.execute(
                "INSERT OR REPLACE INTO quiet VALUES (?, ?, ?, ?)",
                (owner, self.purpose, channel, until),
            )

    def _clear(self, owner: str, channel: str | None = None) -> None:
        with self._store.change() as db:
            db.execute(
                "DELETE FROM quiet WHERE owner = ? AND purpose = ? "
                "AND channel = coalesce(?, channel)",
                (owner, self.purpose, channel),
            )

    def _shown(self, owner: str) -> dict[str, str | None]:
        return {
            channel: None if until is None else moment(until)
            for channel, until in self.channels(owner).items()
        }


@final
class MutedChannels(_Quiet):
    """The channels that an agent has tuned out."""

    purpose = "tune_out"

    def tool(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `tune_out`."""
        match call.input.get("action"):
            case "add":
                seconds = optional_seconds(call)
                self._set(owner, required_text(call, "channelId"), seconds)
            case "remove":
                self._clear(owner, required_text(call, "channelId"))
            case "list":
                pass
            case _:
                raise wrong(call, "action", f"must be {one_of(TUNE_OUT)}")
        return ToolResult({"tuned_out": self._shown(owner)})

    def judge(self, event: Event, agent: str) -> Verdict | None:
        """That the agent doesn't wake, when it tuned the event's channel out."""
        if event.channel is None or event.channel not in self.channels(agent):
            return None
        return Verdict(wakes=False, why=f"{agent} tuned {event.channel} out")


@final
class FocusedChannels(_Quiet):
    """The one channel that an agent is listening to, when it's focused."""

    purpose = "focus"

    def tool(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `focus`."""
        match call.input.get("action"):
            case "on":
                channel, seconds = (
                    required_text(call, "channelId"),
                    optional_seconds(call),
                )
                self._clear(owner)
                self._set(owner, channel, seconds)
            case "off":
                self._clear(owner)
            case "status":
                pass
            case _:
                raise wrong(call, "action", f"must be {one_of(FOCUS)}")
        return ToolResult({"focus": self._shown(owner)})

    def judge(self, event: Event, agent: str) -> Verdict | None:
        """That the agent doesn't wake, when it's focused on another channel."""
        focused = self.channels(agent)
        if event.channel is None or not focused or event.channel in focused:
            return None
        return Verdict(wakes=False, why=f"{agent} is focused on {', '.join(focused)}")
