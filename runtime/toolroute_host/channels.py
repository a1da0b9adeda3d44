"""Channels: where agents and people talk, and which are open to whom.

A channel keeps its own messages. Whether one is open is kept for each agent: what is
said on an open channel reaches the agent; what it publishes goes out either way.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, cast, final

from toolroute_host._kept import Clock, Kept
from toolroute_host.store import Store

__all__ = ["Channel", "ChannelRegistry", "Message", "State", "UnknownChannel"]

State: TypeAlias = Literal["closed", "open", "declined"]
LONGEST_MESSAGE: Final = 100_000
MOST_SHOWN: Final = 500


@final
@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said, and when, in seconds since 1970."""

    author: str
    content: str
    at: float


class Channel(Protocol):
    """A place that keeps what is said in it."""

    @property
    def id(self) -> str:
        """What calls name it by."""
        ...

    @property
    def title(self) -> str:
        """What people call it."""
        ...

    def append(self, message: Message) -> None:
        """Keep a message, for good, before returning."""
        ...

    def recent(self, most: int) -> list[Message]:
        """The last messages, oldest first."""
        ...


class UnknownChannel(LookupError):  # noqa: N818  (it reads as what it says)
    """There is no channel of that name."""


@final
class ChannelRegistry(Kept):
    """The channels by name, and each one's state for each owner."""

    def __init__(
        self, store: Store, now: Clock, channels: Iterable[Channel] = ()
    ) -> None:
        super().__init__(store, now)
        self._by_id: dict[str, Channel] = {}
        for channel in channels:
            self.add(channel)

    def add(self, channel: Channel) -> None:
        """Take a channel in; a name is one channel's."""
        if channel.id in self._by_id:
            raise ValueError(f"there is a channel named {channel.id!r} already")
        self._by_id[channel.id] = channel

    def remove(self, channel: str) -> None:
        """Let a channel go; who had it open has it open when it comes back."""
        del self._by_id[channel]

    def __iter__(self) -> Any:
        return iter(tuple(self._by_id.values()))

    def get(self, channel: str) -> Channel:
        """The channel of that name; `UnknownChannel` when there's none."""
        try:
            return self._by_id[channel]
        except KeyError:
            raise UnknownChannel(channel) from None

    def states(self, owner: str) -> Mapping[str, State]:
        """Each channel's state for this owner."""
        rows = self._store.read(
            "SELECT channel, state FROM channel_states WHERE owner = ?", owner
        )
        kept = dict(cast("list[tuple[str, State]]", rows))
        return {channel: kept.get(channel, "closed") for channel in self._by_id}

    def set_state(self, owner: str, channel: str, state: State) -> State:
        """Open, close or decline a channel; gives the state that it was in."""
        self.get(channel)
        before = self.states(owner)[channel]
        with self._store.change() as db:
            db.execute(
                "INSERT OR REPLACE INTO channel_states VALUES (?, ?, ?)",
                (owner, channel, state),
            )
        return before

    def publish(self, channel: str, author: str, content: str) -> Message:
        """Say something on a channel."""
        message = Message(author, content, self._now())
        self.get(channel).append(message)
        return message
