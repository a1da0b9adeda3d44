"""An image is what its bytes say, wherever it stands."""

import base64
from typing import Any

import pytest

from toolroute_host._images import Image, in_content, media_type

from .pictures import GIF, JPEG, PNG, WEBP, block


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PNG, "image/png"),
        (GIF, "image/gif"),
        (b"GIF87a", "image/gif"),
        (WEBP, "image/webp"),
        (JPEG, "image/jpeg"),
        (b"", None),
        (b"<svg xmlns=", None),
        (b"MZ\x90\0", None),
        (b"RIFF\x10\0\0\0WAVE", None),
        (b"\x89PNG\n\x1a\n", None),
    ],
)
def test_an_image_is_what_its_first_bytes_say(
    data: bytes, expected: str | None
) -> None:
    assert media_type(data) == expected


def test_images_are_found_in_results_and_in_messages_in_order() -> None:
    message = {
        "role": "user",
        "content": [
            {"type": "text", "text": "look"},
            {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": "image/jpeg",
                    "data": base64.b64encode(GIF).decode(),
                },
            },
            {"type": "tool_result", "tool_use_id": "1", "content": [block(PNG)]},
        ],
    }
    assert (in_content(message)) == [
        Image("image/gif", GIF),
        Image("image/png", PNG),
    ]


@pytest.mark.parametrize(
    "content",
    [
        None,
        "text",
        7,
        {"type": "image"},
        {"type": "image", "data": 7},
        {"type": "image", "data": "not base64!"},
        {"type": "image", "data": base64.b64encode(b"not an image").decode()},
        {"type": "image", "data": "x" * 30_000_000},
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_is_no_image_is_passed_over(content: object) -> None:
    assert (in_content(content)) == []


def test_a_nest_that_never_ends_is_left() -> None:
    nest: list[Any] = []
    nest.append(nest)
    assert (in_content(nest)) == []
