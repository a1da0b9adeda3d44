"""Running an agent's script, whose tool calls come back here as the script's."""

from typing import Protocol

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Context

__all__ = ["ScriptRunner"]


class ScriptRunner(Protocol):
    """What answers `code_execution`."""

    async def run(self, call: ToolCall, context: Context) -> ToolResult:
        """Run the script that a call holds."""
        ...
