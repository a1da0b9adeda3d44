"""`agent_settings`: what an agent may set for itself, and what it's set to."""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, cast, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host._arguments import one_of, wrong
from toolroute_host._kept import Kept

__all__ = ["SETTINGS", "Setting", "Settings"]


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set: a flag, or a whole number in `numbers`."""

    default: bool | int
    doc: str
    numbers: range | None = None

    @property
    def wanted(self) -> str:
        """What a value must be, to stand after the setting's name."""
        if self.numbers is None:
            return "must be true or false"
        return f"must be a whole number from {self.numbers.start} to {self.numbers[-1]}"

    def takes(self, value: object) -> bool:
        """Whether a value will do."""
        if self.numbers is None:
            return isinstance(value, bool)
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and value in self.numbers
        )


SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        "announce_sleep": Setting(
            default=True,
            doc="sleep says so on the agent's channel, unless its call says otherwise",
        ),
        "backscroll": Setting(
            default=0,
            numbers=range(501),
            doc="how many earlier messages channel_open shows, unless its call says so",
        ),
        "window_messages": Setting(
            default=200,
            numbers=range(2, 10_001),
            doc="how many of its last messages the agent is shown at the most",
        ),
    }
)

ACTIONS: Final = ("get", "update", "reset")


@final
class Settings(Kept):
    """Each owner's settings; what was never set is at its default."""

    def tool(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `agent_settings`."""
        match call.input.get("action"):
            case "get":
                pass
            case "update":
                self.update(owner, _changes(call))
            case "reset":
                self.reset(owner)
            case _:
                raise wrong(call, "action", f"must be {one_of(ACTIONS)}")
        return ToolResult({"settings": self.all(owner)})

    def all(self, owner: str) -> dict[str, bool | int]:
        """Every setting with its value now."""
        rows = self._store.read(
            "SELECT name, value FROM settings WHERE owner = ?", owner
        )
        kept = {name: json.loads(value) for name, value in rows}
        return {name: kept.get(name, each.default) for name, each in SETTINGS.items()}

    def update(self, owner: str, changes: Mapping[str, bool | int]) -> None:
        """Set these, all at once."""
        rows = [(owner, name, json.dumps(value)) for name, value in changes.items()]
        with self._store.change() as db:
            db.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", rows)

    def reset(self, owner: str) -> None:
        """Set everything back to its default."""
        with self._store.change() as db:
            db.execute("DELETE FROM settings WHERE owner = ?", (owner,))


def _changes(call: ToolCall) -> dict[str, bool | int]:
    """What an update sets: every argument but `action`, each checked before any."""
    changes = {name: value for name, value in call.input.items() if name != "action"}
    if not changes:
        raise ToolError(
            f"{call.name}: nothing to update. Name a setting and its new value: "
            f"{', '.join(SETTINGS)}.",
            retry="with-changes",
        )
    return {name: _value(call, name, value) for name, value in changes.items()}


def _value(call: ToolCall, name: str, value: Any) -> bool | int:
    setting = SETTINGS.get(name)
    if setting is None:
        near = difflib.get_close_matches(name[:64], SETTINGS) or list(SETTINGS)
        raise wrong(call, name, f"isn't a setting. There is {', '.join(near)}.")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not setting.takes(value):
        raise wrong(call, name, setting.wanted)
    return cast("bool | int", value)
