"""What an MCP server answers, as a tool result of this host."""

from typing import Any, Final

from mcp.types import CallToolResult, ResourceLink, TextContent

from toolroute import ToolResult
from toolroute._text import one_line
from toolroute_host.references import LONGEST_URL, References

LONGEST_TITLE: Final = 200


def result(answer: CallToolResult, references: References) -> ToolResult:
    """Text alone as text, else the blocks, or what is structured where that is all.

    A link to something becomes a reference: its URL isn't shown, and `fetch_reference`
    gets what it stands for.
    """
    blocks = [_block(block, references) for block in answer.content]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    content: Any = blocks
    if not blocks and answer.structured_content is not None:
        content = answer.structured_content
    elif len(texts) == len(blocks):
        content = "\n".join(texts)
    return ToolResult(content, is_error=bool(answer.is_error))


def _block(block: Any, references: References) -> dict[str, Any]:
    if isinstance(block, TextContent):
        return {"type": "text", "text": block.text}
    if isinstance(block, ResourceLink):
        return {"type": "text", "text": _referred(block, references)}
    dumped: dict[str, Any] = block.model_dump(
        mode="json", by_alias=True, exclude_none=True
    )
    return dumped


def _referred(link: ResourceLink, references: References) -> str:
    title = one_line(link.title or link.name, LONGEST_TITLE)
    if len(str(link.uri)) > LONGEST_URL:
        return f"[{title}: its address is too long to be kept]"
    reference = references.register(str(link.uri), title)
    return f"[{reference.id}] {title} (fetch_reference gets it)"
