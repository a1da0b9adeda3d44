"""`think` and `journal`: an agent's private notes, sent nowhere."""

from typing import Any, Final, final

from toolroute import ToolCall, ToolResult
from toolroute_host._arguments import optional_text, required_text
from toolroute_host._kept import Kept

__all__ = ["Notes"]

THOUGHT: Final = "Noted. It stays private: nothing was sent anywhere."
ENTERED: Final = "Entered in the journal. It stays private: nothing was sent anywhere."


@final
class Notes(Kept):
    """Thoughts and journal entries, each under whoever's they are."""

    def verb(self, call: ToolCall, owner: str) -> ToolResult:
        """Keep what `think` or `journal` was given."""
        if call.name == "think":
            self.write(owner, "think", optional_text(call, "content") or "")
            return ToolResult({"noted": True, "note": THOUGHT})
        entry = self.write(owner, "journal", required_text(call, "content"))
        return ToolResult({"entry": entry, "note": ENTERED})

    def write(self, owner: str, verb: str, content: str) -> int:
        """Keep one note, and give its number."""
        with self._store.change() as db:
            cursor = db.execute(
                "INSERT INTO notes (owner, verb, content, at) VALUES (?, ?, ?, ?)",
                (owner, verb, content, self._now()),
            )
        assert cursor.lastrowid is not None  # noqa: S101  (an INSERT gives one)
        return cursor.lastrowid

    def read(self, owner: str, verb: str) -> list[str]:
        """What was kept, oldest first."""
        rows: list[tuple[Any, ...]] = self._store.read(
            "SELECT content FROM notes WHERE owner = ? AND verb = ? ORDER BY id",
            owner,
            verb,
        )
        return [content for (content,) in rows]
