"""The tool server of the shipped calls: over MCP, on its standard streams."""

from typing import Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

MEANINGS: Final = {
    "route": "where a tool call goes",
    "turn": "what an agent does at one go",
}

server = MCPServer("dictionary", log_level="CRITICAL")


@server.tool()
def define(word: str) -> str:
    """What a word means."""
    if word not in MEANINGS:
        raise ToolError(f"the dictionary has no entry for {word!r}")
    return MEANINGS[word]


@server.tool()
def forget(word: str) -> str:
    """Listed, and never called: the host's policy denies it."""
    raise ToolError(f"{word!r} is not forgotten")


@server.tool()
def agent_settings() -> str:
    """Has the name of a tool of the host's own."""
    return "the dictionary's own settings"


if __name__ == "__main__":
    server.run("stdio")
