"""Images in content: blocks of the window and of tool results, known by their bytes.

What an image is, is read from its first bytes and never from a name or a server's word.
"""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast, final

LARGEST: Final = 20_000_000
"""Bytes of one image."""

_DEEPEST: Final = 8


@final
@dataclass(frozen=True, slots=True)
class Image:
    """An image's bytes, and what they are."""

    media_type: str
    data: bytes

    def block(self) -> dict[str, Any]:
        """The image as a block of a tool result."""
        data = base64.b64encode(self.data).decode("ascii")
        return {"type": "image", "mimeType": self.media_type, "data": data}


def media_type(data: bytes) -> str | None:
    """What the bytes are: PNG, JPEG, GIF or WebP; `None` for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def image(data: bytes) -> Image | None:
    """The image that these bytes are, if they're one and not too large."""
    kind = media_type(data[:16])
    return None if kind is None or len(data) > LARGEST else Image(kind, data)


def in_content(content: object) -> list[Image]:
    """The images in a tool result's content or a message, in order."""
    found: list[Image] = []

    def see(image: Image) -> str:
        found.append(image)
        return ""

    named(content, see)
    return found


def named(content: object, name: Callable[[Image], str], depth: int = 0) -> Any:
    """The content, each image block in it with the name that it's given as `ref`.

    A block is one by its shape: MCP's (`data`), or a message's (`source.data`). What
    isn't base64, or isn't an image, is left as it is.
    """
    if depth > _DEEPEST:
        return content
    if isinstance(content, list):
        blocks = cast("list[object]", content)
        return [named(each, name, depth + 1) for each in blocks]
    if not isinstance(content, dict):
        return content
    block = cast("dict[str, Any]", content)
    if block.get("type") != "image":
        if "content" not in block:
            return block
        return {**block, "content": named(block["content"], name, depth + 1)}
    image = _decoded(block)
    return block if image is None else {**block, "ref": name(image)}


def _decoded(block: dict[str, object]) -> Image | None:
    source = block.get("source")
    holder = cast("dict[str, object]", source) if isinstance(source, dict) else block
    data = holder.get("data")
    if not isinstance(data, str) or len(data) > LARGEST * 4 // 3 + 4:
        return None
    try:
        return image(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return None
