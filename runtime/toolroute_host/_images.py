"""Images in content: blocks of the window and of tool results, known by their bytes.

What an image is, is read from its first bytes and never from a name or a server's word.
"""

import base64
import binascii
from collections.abc import Iterator
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

    def block(self, ref: str | None = None) -> dict[str, Any]:
        """The image as a block of a tool result."""
        block: dict[str, Any] = {
            "type": "image",
            "mimeType": self.media_type,
            "data": base64.b64encode(self.data).decode("ascii"),
        }
        return block if ref is None else {**block, "ref": ref}


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


def in_content(content: object, depth: int = 0) -> Iterator[Image]:
    """The images in a tool result's content or a message, in order.

    A block is one by its shape: MCP's (`data`), or a message's (`source.data`). What
    isn't base64, or isn't an image, is passed over.
    """
    if depth > _DEEPEST:
        return
    if isinstance(content, list):
        for each in cast("list[object]", content):
            yield from in_content(each, depth + 1)
    elif isinstance(content, dict):
        block = cast("dict[str, object]", content)
        if block.get("type") == "image":
            found = _decoded(block)
            if found is not None:
                yield found
        else:
            yield from in_content(block.get("content"), depth + 1)


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
