"""The workspace: folders under names of their own (mounts), and the images seen lately.

A path starts with its mount: `pictures/cat.png` is `cat.png` in the folder that is
mounted as `pictures`.
"""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, final

from toolroute import ToolCall, ToolError, ToolResult
from toolroute._text import one_line
from toolroute_host import _images
from toolroute_host._arguments import required_text, whole_number, wrong
from toolroute_host._folder import Folder, PathError
from toolroute_host._images import Image
from toolroute_host._kept import Clock, Kept
from toolroute_host.store import Store

__all__ = ["Workspace"]

MOUNTED: Final = "mount-prefixed"
KEPT_IMAGES: Final = 50
"""How many images are kept for each owner; the oldest goes first."""

KEPT_BYTES: Final = 100_000_000
"""How much all of them hold together, of each owner."""

MOST_SAVED: Final = 20
NUMBER: Final = re.compile(r"[0-9]{1,15}")


@final
class Workspace(Kept):
    """Where an agent's files are, and which images it was shown."""

    def __init__(self, store: Store, now: Clock, mounts: Mapping[str, Path]) -> None:
        super().__init__(store, now)
        if not mounts:
            raise ValueError("a workspace has at least one mount")
        self._mounts = {name: Folder(root) for name, root in mounts.items()}

    # files

    def write(self, path: str, data: bytes) -> bool:
        """Put a file there; whether it replaced one. `PathError` says why not."""
        with self._mounted(path) as (folder, rest):
            return folder.write(rest, data)

    def read(self, path: str, longest: int) -> bytes:
        """A file's bytes. `PathError` says why not."""
        with self._mounted(path) as (folder, rest):
            return folder.read(rest, longest)

    def default(self, name: str) -> str:
        """A path for a file that nobody gave one, in the first mount."""
        return f"{next(iter(self._mounts))}/references/{name}"

    @contextmanager
    def _mounted(self, path: str) -> Generator[tuple[Folder, str]]:
        """The folder that a path begins with, and what's left of the path."""
        name, slash, rest = path.partition("/")
        folder = self._mounts.get(name)
        if folder is None or not slash:
            there = ", ".join(f"{mount}/…" for mount in self._mounts)
            raise PathError(
                f"{one_line(path)} doesn't start with a mount. There is: {there}"
            )
        try:
            yield folder, rest
        except PathError as error:
            raise PathError(f"{name}/{error}") from error

    # images

    def remember(self, owner: str, content: object) -> list[str]:
        """Keep the images in what an owner is shown; gives a name for each."""
        return [self._keep(owner, image) for image in _images.in_content(content)]

    def named_in(self, owner: str, content: Any) -> Any:
        """The content, with its images kept and each with its name as `ref`."""
        return _images.named(content, lambda image: self._keep(owner, image))

    def recent(self, owner: str, first: int, count: int) -> list[Image]:
        """Images counted back from the last, which is 0."""
        rows = self._store.read(
            "SELECT media_type, data FROM images WHERE owner = ? "
            "ORDER BY id DESC LIMIT ? OFFSET ?",
            owner,
            count,
            first,
        )
        return [Image(*row) for row in rows]

    def named(self, owner: str, ref: str) -> Image | None:
        """The image that `remember` gave this name."""
        number = ref.removeprefix("img_")
        if not NUMBER.fullmatch(number):
            return None
        rows = self._store.read(
            "SELECT media_type, data FROM images WHERE owner = ? AND id = ?",
            owner,
            int(number),
        )
        return Image(*rows[0]) if rows else None

    def _keep(self, owner: str, image: Image) -> str:
        """Keep one; what is shown twice in a row is one image."""
        with self._store.change() as db:
            last = db.execute(
                "SELECT id, data FROM images WHERE owner = ? ORDER BY id DESC LIMIT 1",
                (owner,),
            ).fetchone()
            if last is not None and last[1] == image.data:
                return f"img_{last[0]}"
            number = db.execute(
                "INSERT INTO images (owner, media_type, data) VALUES (?, ?, ?)",
                (owner, image.media_type, image.data),
            ).lastrowid
            db.execute(
                "DELETE FROM images WHERE owner = ? AND id NOT IN (SELECT id FROM "
                "(SELECT id, row_number() OVER last AS place, "
                "sum(length(data)) OVER last AS bytes "
                "FROM images WHERE owner = ? WINDOW last AS (ORDER BY id DESC)) "
                "WHERE place <= ? AND bytes <= ?)",
                (owner, owner, KEPT_IMAGES, KEPT_BYTES),
            )
        return f"img_{number}"

    # the two tools

    def read_image(self, call: ToolCall) -> ToolResult:
        """Answer `read_image`: the image itself, as a block that is seen."""
        path = required_text(call, "path", MOUNTED)
        try:
            data = self.read(path, _images.LARGEST)
        except PathError as error:
            raise _refused(call, error) from error
        image = _images.image(data)
        if image is None:
            raise ToolError(
                f"{call.name}: {path} isn't a PNG, JPEG, GIF or WebP image by its "
                "first bytes.",
                retry="with-changes",
            )
        text = f"{path}: {image.media_type}, {len(data):,} bytes"
        return ToolResult([{"type": "text", "text": text}, image.block()])

    def save_recent_image(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `save_recent_image`: one image to `path`, several to numbered ones."""
        path, images = _wanted_path(call), self._wanted(call, owner)
        paths = [path] if len(images) == 1 else _numbered(path, len(images))
        saved: list[dict[str, Any]] = []
        for place, image in zip(paths, images, strict=True):
            try:
                replaced = self.write(place, image.data)
            except PathError as error:
                raise _refused(call, error, saved) from error
            saved.append(
                {
                    "path": place,
                    "mediaType": image.media_type,
                    "bytes": len(image.data),
                    "replaced": replaced,
                }
            )
        return ToolResult({"saved": saved})

    def _wanted(self, call: ToolCall, owner: str) -> list[Image]:
        ref = call.input.get("ref")
        if ref is not None:
            found = self.named(owner, ref) if isinstance(ref, str) else None
            if found is None:
                raise wrong(call, "ref", "names no image that is kept")
            return [found]
        index = whole_number(
            call, "index", "must be a non-negative integer", of=range(2**31)
        )
        count = whole_number(
            call,
            "count",
            f"must be an integer in 1..{MOST_SAVED}",
            of=range(1, MOST_SAVED + 1),
        )
        first, most = index or 0, count or 1
        images = self.recent(owner, first, most)
        if len(images) < most:
            raise ToolError(
                f"{call.name}: images {first} to {first + most - 1} were asked for, "
                f"and {len(images)} of them are kept. Nothing was saved.",
                retry="with-changes",
            )
        return images


def _wanted_path(call: ToolCall) -> str:
    path = call.input.get("path")
    if not isinstance(path, str) or not path:
        raise wrong(call, "path", f"({MOUNTED}) is required")
    return path


def _numbered(path: str, count: int) -> list[str]:
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    return [f"{folder}{slash}{stem}-{place}{dot}{ending}" for place in range(count)]


def _refused(
    call: ToolCall, error: PathError, saved: list[dict[str, Any]] | None = None
) -> ToolError:
    before = ", ".join(each["path"] for each in saved or [])
    after = f" Saved before that: {before}." if before else ""
    return ToolError(f"{call.name}: {error}.{after}", retry="with-changes")
