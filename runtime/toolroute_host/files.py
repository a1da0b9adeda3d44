"""The module `files`: text files in one folder."""

from pathlib import Path
from typing import Any, Final, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute.runtime import Context
from toolroute_host._arguments import optional_text, required_text, wrong
from toolroute_host._folder import Folder, PathError

__all__ = ["FilesModule"]

LONGEST_READ: Final = 1_000_000
MOST_LISTED: Final = 1_000
TOOLS: Final = ("list", "read", "write", "delete")


@final
class FilesModule:
    """Reads, writes, lists and deletes what is in its folder, and nothing else."""

    @property
    def name(self) -> str:
        """What calls begin with."""
        return "files"

    def __init__(self, root: Path) -> None:
        self._folder = Folder(root)

    def tools(self) -> tuple[str, ...]:
        """The names of its tools."""
        return TOOLS

    def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        """Answer a call of one of its tools."""
        del context  # a file is the same whoever asks
        try:
            return ToolResult(self._answer(tool, call))
        except PathError as error:
            raise ToolError(f"{call.name}: {error}.", retry="with-changes") from error

    def _answer(self, tool: str, call: ToolCall) -> dict[str, Any]:
        match tool:
            case "list":
                return self._list(optional_text(call, "path") or "")
            case "read":
                return self._read(required_text(call, "path"))
            case "write":
                return self._write(call, required_text(call, "path"))
            case "delete":
                path = required_text(call, "path")
                self._folder.delete(path)
                return {"path": path, "deleted": True}
            case _:
                raise AssertionError(f"no tool of this module: {tool}")

    def _list(self, path: str) -> dict[str, Any]:
        entries, complete = self._folder.entries(path, MOST_LISTED)
        shown = [
            {"name": entry.name, "kind": entry.kind, "bytes": entry.size}
            for entry in entries
        ]
        return {"path": path, "entries": shown, "complete": complete}

    def _read(self, path: str) -> dict[str, Any]:
        data = self._folder.read(path, LONGEST_READ)
        try:
            return {"path": path, "content": data.decode()}
        except UnicodeDecodeError as error:
            raise PathError(
                f"{path} isn't text in UTF-8 (byte {error.start:,}), "
                "so it can't be read here"
            ) from error

    def _write(self, call: ToolCall, path: str) -> dict[str, Any]:
        content = optional_text(call, "content")
        if content is None:
            raise wrong(call, "content", "(string) is required")
        data = content.encode()
        replaced = self._folder.write(path, data)
        return {"path": path, "bytes": len(data), "replaced": replaced}
