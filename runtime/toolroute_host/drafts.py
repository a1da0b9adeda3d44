"""`drafts`: messages that an agent keeps until it sends or drops them."""

from typing import Any, Final, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host import _home
from toolroute_host._arguments import (
    one_of,
    optional_text,
    required_text,
    whole_number,
    wrong,
)
from toolroute_host._kept import Kept, moment
from toolroute_host.channels import LONGEST_MESSAGE, ChannelRegistry, UnknownChannel

__all__ = ["Drafts"]

ACTIONS: Final = ("list", "save", "send", "discard")
MOST: Final = 100


@final
class Drafts(Kept):
    """Each owner's drafts. A number is given once and never again."""

    def tool(
        self, call: ToolCall, owner: str, channels: ChannelRegistry, home: str | None
    ) -> ToolResult:
        """Answer `drafts`."""
        match call.input.get("action"):
            case "list":
                return ToolResult({"drafts": self.all(owner)})
            case "save":
                return self._save(call, owner)
            case "send":
                return self._send(call, owner, channels, home)
            case "discard":
                return self._discard(call, owner)
            case _:
                raise wrong(call, "action", f"must be {one_of(ACTIONS)}")

    def all(self, owner: str) -> list[dict[str, Any]]:
        """What is kept, oldest first."""
        rows = self._store.read(
            "SELECT id, channel, content, at FROM drafts WHERE owner = ? ORDER BY id",
            owner,
        )
        return [
            {
                "draft": number,
                "channelId": channel,
                "content": content,
                "at": moment(at),
            }
            for number, channel, content, at in rows
        ]

    def _save(self, call: ToolCall, owner: str) -> ToolResult:
        content = required_text(call, "content")
        channel = optional_text(call, _home.KEY)
        if len(content) > LONGEST_MESSAGE:
            wanted = f"can hold at most {LONGEST_MESSAGE:,} characters"
            raise wrong(call, "content", wanted)
        if len(self.all(owner)) >= MOST:
            raise ToolError(
                f"{call.name}: there are {MOST} drafts already, which is the most. "
                "Send or discard one first.",
                retry="with-changes",
            )
        with self._store.change() as db:
            number = db.execute(
                "INSERT INTO drafts (owner, channel, content, at) VALUES (?, ?, ?, ?)",
                (owner, channel, content, self._now()),
            ).lastrowid
        return ToolResult({"draft": number, "saved": True})

    def _send(
        self, call: ToolCall, owner: str, channels: ChannelRegistry, home: str | None
    ) -> ToolResult:
        number, kept, content = self._draft(call, owner)
        named = call.input.get(_home.KEY)
        channel = named if named is not None else kept if kept is not None else home
        if not isinstance(channel, str):
            raise wrong(call, _home.KEY, "(string) is required: the draft names none")
        _keep_home(channel, home)
        try:
            message = channels.publish(channel, owner or "host", content)
        except UnknownChannel:
            raise wrong(
                call, _home.KEY, "names no channel; the draft is kept"
            ) from None
        self._drop(number)
        return ToolResult(
            {
                "draft": number,
                _home.KEY: channel,
                "sent": True,
                "at": moment(message.at),
            }
        )

    def _discard(self, call: ToolCall, owner: str) -> ToolResult:
        number, _, _ = self._draft(call, owner)
        self._drop(number)
        return ToolResult({"draft": number, "discarded": True})

    def _draft(self, call: ToolCall, owner: str) -> tuple[int, str | None, str]:
        wanted = "must be the number of a draft: `list` shows them"
        number = whole_number(call, "draft", wanted, of=range(1, 2**63))
        rows = self._store.read(
            "SELECT id, channel, content FROM drafts WHERE owner = ? AND id = ?",
            owner,
            number,
        )
        if not rows:
            raise wrong(call, "draft", wanted)
        ((found, channel, content),) = rows
        return found, channel, content

    def _drop(self, number: int) -> None:
        with self._store.change() as db:
            db.execute("DELETE FROM drafts WHERE id = ?", (number,))


def _keep_home(channel: str, home: str | None) -> None:
    """A fork's draft goes where its own `channel_publish` could."""
    publish = ToolCall("", "channel_publish", {_home.KEY: channel})
    refused = _home.refused(publish, home)
    if refused is not None:
        raise ToolError(refused.text, code=refused.code, retry=refused.retry)
