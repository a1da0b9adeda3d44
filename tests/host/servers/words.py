"""A small MCP server: over standard streams, or over HTTP on the port that's named."""

from parent import end_with_parent

# isort: split
import asyncio
import os
import sys

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.types import CallToolResult, ResourceLink

server = MCPServer("words", log_level="CRITICAL")
GIF = b"GIF89a and so on"


@server.tool()
def define(word: str) -> str:
    """What a word means."""
    return f"the meaning of {word}"


@server.tool()
def agent_settings() -> str:
    """Has the name of a tool of the host's own."""
    return "the server's own"


@server.tool()
def fail() -> str:
    """Answers with an error."""
    raise ValueError("not today")


@server.tool()
def snap() -> Image:
    """Shows an image."""
    return Image(data=GIF, format="gif")


@server.tool()
def point() -> CallToolResult:
    """Points at something."""
    link = ResourceLink(
        type="resource_link", name="a page", uri="https://pages.example/secret?key=1"
    )
    return CallToolResult(content=[link])


@server.tool()
def environment() -> str:
    """What the server was given."""
    return " ".join(sorted(os.environ))


def learnt() -> str:
    """Is there once the server has learnt it."""
    return "learnt"


@server.tool()
async def learn(context: Context) -> str:
    """Has one tool more, and says so."""
    server.add_tool(learnt)
    await context.notify_tools_changed()
    return "learn"


@server.tool()
async def die() -> str:
    """Is gone before it answers."""
    os._exit(3)


@server.tool()
async def hang() -> str:
    """Never answers."""
    await asyncio.Event().wait()
    return "never"


if len(sys.argv) > 1:
    end_with_parent()
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    server.run("stdio")
