"""Images of each kind, as short as can be."""

from typing import Any

from toolroute_host._images import Image

PNG = b"\x89PNG\r\n\x1a\n" + b"png body"
GIF = b"GIF89a" + b"gif body"
WEBP = b"RIFF\x10\0\0\0WEBPVP8 "
JPEG = b"\xff\xd8\xff\xe0jpeg body"


def block(data: bytes) -> dict[str, Any]:
    return Image("image/png", data).block()
