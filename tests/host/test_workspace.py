"""Images of mounts: saved, shown, and kept for a while."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolError, ToolResult
from toolroute_host import workspace as workspace_module
from toolroute_host._folder import PathError
from toolroute_host._images import Image
from toolroute_host.store import Store
from toolroute_host.workspace import Workspace

from .pictures import GIF, JPEG, PNG, block

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Hands, Roads


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pictures").mkdir()
    return tmp_path / "pictures"


@pytest.fixture
def workspace(store: Store, clock: "Hands", root: Path) -> Workspace:
    return Workspace(store, clock, {"pictures": root})


def save(workspace: Workspace, **given: Any) -> Any:
    call = ToolCall("1", "save_recent_image", given)
    return workspace.save_recent_image(call, "ada").content


def words(workspace: Workspace, **given: Any) -> str:
    with pytest.raises(ToolError) as error:
        save(workspace, **given)
    return error.value.message


def test_the_last_image_is_saved_byte_for_byte(
    workspace: Workspace, root: Path
) -> None:
    workspace.remember("ada", [block(GIF)])
    workspace.remember("ada", [block(PNG)])
    assert save(workspace, path="pictures/a.png") == {
        "saved": [
            {
                "path": "pictures/a.png",
                "mediaType": "image/png",
                "bytes": len(PNG),
                "replaced": False,
            }
        ]
    }
    assert (root / "a.png").read_bytes() == PNG


def test_index_counts_back_and_count_numbers_the_names(
    workspace: Workspace, root: Path
) -> None:
    workspace.remember("ada", [block(JPEG), block(GIF), block(PNG)])
    saved = save(workspace, path="pictures/in/a.png", index=1.0, count=2)["saved"]
    assert [each["path"] for each in saved] == [
        "pictures/in/a-0.png",
        "pictures/in/a-1.png",
    ]
    assert (root / "in/a-0.png").read_bytes() == GIF
    assert (root / "in/a-1.png").read_bytes() == JPEG


def test_a_name_of_an_image_stands_for_it_whatever_came_since(
    workspace: Workspace, root: Path
) -> None:
    (name,) = workspace.remember("ada", block(GIF))
    workspace.remember("ada", block(PNG))
    save(workspace, path="pictures/a", ref=name)
    assert (root / "a").read_bytes() == GIF


def test_images_are_their_owners(workspace: Workspace) -> None:
    (name,) = workspace.remember("bea", block(GIF))
    assert words(workspace, path="pictures/a", ref=name) == (
        "save_recent_image: `ref` names no image that is kept"
    )
    assert words(workspace, path="pictures/a") == (
        "save_recent_image: images 0 to 0 were asked for, and 0 of them are kept. "
        "Nothing was saved."
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "save_recent_image: `path` (mount-prefixed) is required"),
        ({"path": 7}, "save_recent_image: `path` (mount-prefixed) is required"),
        ({"path": ""}, "save_recent_image: `path` (mount-prefixed) is required"),
        (
            {"path": "pictures/a", "index": -1},
            "save_recent_image: `index` must be a non-negative integer",
        ),
        (
            {"path": "pictures/a", "index": 0.5},
            "save_recent_image: `index` must be a non-negative integer",
        ),
        (
            {"path": "pictures/a", "index": True},
            "save_recent_image: `index` must be a non-negative integer",
        ),
        (
            {"path": "pictures/a", "index": float("inf")},
            "save_recent_image: `index` must be a non-negative integer",
        ),
        (
            {"path": "pictures/a", "count": 0},
            "save_recent_image: `count` must be an integer in 1..20",
        ),
        (
            {"path": "pictures/a", "count": 21},
            "save_recent_image: `count` must be an integer in 1..20",
        ),
        (
            {"path": "pictures/a", "count": "2"},
            "save_recent_image: `count` must be an integer in 1..20",
        ),
        (
            {"path": "pictures/a", "ref": "img_" + "9" * 5000},
            "save_recent_image: `ref` names no image that is kept",
        ),
        (
            {"path": "elsewhere/a"},
            (
                "save_recent_image: elsewhere/a doesn't start with a mount. There is: "
                "pictures/…."
            ),
        ),
        (
            {"path": "pictures"},
            (
                "save_recent_image: pictures doesn't start with a mount. There is: "
                "pictures/…."
            ),
        ),
        (
            {"path": "pictures/../out"},
            (
                "save_recent_image: pictures/../out must be plain names with `/` "
                "between them."
            ),
        ),
        (
            {"path": "pictures//etc/cron.d/x"},
            "save_recent_image: pictures//etc/cron.d/x must be relative to the folder.",
        ),
    ],
)
def test_what_cannot_be_saved_is_refused_in_words(
    workspace: Workspace, root: Path, given: dict[str, Any], expected: str
) -> None:
    workspace.remember("ada", block(PNG))
    assert words(workspace, **given) == expected
    assert list(root.iterdir()) == []


def test_a_link_out_of_the_workspace_is_not_written_through(
    workspace: Workspace, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    workspace.remember("ada", block(PNG))
    assert words(workspace, path="pictures/link/a.png") == (
        "save_recent_image: pictures/link/a.png goes through what isn't a folder."
    )
    assert list((tmp_path / "outside").iterdir()) == []


def test_when_the_second_of_two_cannot_be_saved_the_first_is_named(
    workspace: Workspace, root: Path
) -> None:
    (root / "a-1").mkdir()
    workspace.remember("ada", [block(GIF), block(PNG)])
    assert words(workspace, path="pictures/a", count=2) == (
        "save_recent_image: pictures/a-1 is a folder, not a file. Saved before that: "
        "pictures/a-0."
    )


def test_the_oldest_image_goes_when_there_are_too_many(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_module, "KEPT_IMAGES", 2)
    workspace.remember("ada", [block(JPEG), block(GIF), block(PNG)])
    assert [each.data for each in workspace.recent("ada", 0, 9)] == [PNG, GIF]


def test_the_oldest_image_goes_when_they_hold_too_much(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_module, "KEPT_BYTES", len(GIF) + len(PNG))
    workspace.remember("bea", [block(JPEG)])
    workspace.remember("ada", [block(JPEG), block(GIF), block(PNG)])
    assert [each.data for each in workspace.recent("ada", 0, 9)] == [PNG, GIF]
    assert [each.data for each in workspace.recent("bea", 0, 9)] == [JPEG]


def test_an_image_of_the_workspace_is_shown_as_one(
    workspace: Workspace, root: Path
) -> None:
    (root / "a.jpg").write_bytes(PNG)
    call = ToolCall("1", "read_image", {"path": "pictures/a.jpg"})
    assert workspace.read_image(call) == ToolResult(
        [
            {"type": "text", "text": "pictures/a.jpg: image/png, 16 bytes"},
            {
                "type": "image",
                "mimeType": "image/png",
                "data": base64.b64encode(PNG).decode(),
            },
        ]
    )


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (None, "read_image: `path` (mount-prefixed) is required"),
        (
            "pictures/a.png",
            (
                "read_image: pictures/a.png isn't a PNG, JPEG, GIF or WebP image by "
                "its first bytes."
            ),
        ),
        ("pictures/none.png", "read_image: pictures/none.png isn't there."),
        (
            "pictures/huge.png",
            (
                "read_image: pictures/huge.png holds 1,000,000,000 bytes, more than "
                "the 20,000,000 that are read at once."
            ),
        ),
    ],
)
def test_what_is_no_image_is_not_shown(
    workspace: Workspace, root: Path, path: str | None, expected: str
) -> None:
    (root / "a.png").write_text("<script>")
    with (root / "huge.png").open("wb") as file:
        file.write(PNG)
        file.truncate(1_000_000_000)
    with pytest.raises(ToolError) as error:
        workspace.read_image(ToolCall("1", "read_image", {"path": path}))
    assert error.value.message == expected


def test_an_image_that_is_shown_twice_in_a_row_is_one(workspace: Workspace) -> None:
    first, again = workspace.remember("ada", [block(PNG), block(PNG)])
    other, back = workspace.remember("ada", [block(GIF), block(PNG)])
    assert first == again
    assert len({first, other, back}) == 3
    assert [each.data for each in workspace.recent("ada", 0, 9)] == [PNG, GIF, PNG]


def test_images_are_kept_over_a_restart(
    reopened: Callable[[], Store], clock: "Hands", root: Path
) -> None:
    (name,) = Workspace(reopened(), clock, {"pictures": root}).remember(
        "ada", block(PNG)
    )
    again = Workspace(reopened(), clock, {"pictures": root})
    assert again.named("ada", name) == Image("image/png", PNG)


def test_the_workspace_itself_says_a_mount_is_missing(workspace: Workspace) -> None:
    with pytest.raises(PathError):
        workspace.read("nowhere/a", 9)


def test_an_image_that_somebody_sent_is_recent(roads: "Roads") -> None:
    message = {"role": "user", "content": [block(PNG)]}

    async def act(runtime: "HostRuntime") -> None:
        runtime.deliver("ada", message)

    roads.run(act)
    saved = roads.turn("ada", "save_recent_image", path="pictures/sent.png")
    assert saved.content["saved"][0]["mediaType"] == "image/png"
    assert roads.stored("ada")[0] == message
