"""`fetch_reference`: what a reference stands for, put in the workspace."""

import hashlib
import re
from typing import Final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host import _images
from toolroute_host._arguments import optional_text, required_text
from toolroute_host._folder import PathError
from toolroute_host.references import Fetched, Fetcher, FetchError, References
from toolroute_host.workspace import Workspace

ENDINGS: Final = {
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
}
TYPE: Final = re.compile(r"[a-z0-9!#$&^_.+-]{1,64}/[a-z0-9!#$&^_.+-]{1,64}")


async def answer(
    call: ToolCall, references: References, fetcher: Fetcher, workspace: Workspace
) -> ToolResult:
    """Fetch it and say where it is now; nothing is written unless all of it came."""
    reference = references.get(required_text(call, "ref"))
    path = optional_text(call, "path")
    try:
        fetched = await fetcher.fetch(reference.url)
        kind = kind_of(fetched)
        place = path or workspace.default(f"{reference.id}{ENDINGS.get(kind, '.bin')}")
        replaced = workspace.write(place, fetched.data)
    except (FetchError, PathError) as error:
        raise ToolError(f"{call.name} couldn't answer: {error}") from error
    return ToolResult(
        {
            "ref": reference.id,
            "path": place,
            "mediaType": kind,
            "bytes": len(fetched.data),
            "sha256": hashlib.sha256(fetched.data).hexdigest(),
            "replaced": replaced,
        }
    )


def kind_of(fetched: Fetched) -> str:
    """What it is by its first bytes; else what the server says, else just bytes."""
    seen = _images.media_type(fetched.data[:16])
    said = fetched.content_type.partition(";")[0].strip().lower()
    return seen or (said if TYPE.fullmatch(said) else "application/octet-stream")
