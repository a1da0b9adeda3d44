"""A folder's tools, and what modules and agents can be."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute_host.agents import Agent

from .told import words

if TYPE_CHECKING:
    from .conftest import Roads


def test_files_are_written_listed_read_and_deleted(roads: "Roads") -> None:
    wrote = roads.turn("ada", "files--write", path="d/a.txt", content="é")
    assert wrote.content == {"path": "d/a.txt", "bytes": 2, "replaced": False}
    assert roads.turn("ada", "files--list", path="d").content == {
        "path": "d",
        "entries": [{"name": "a.txt", "kind": "file", "bytes": 2}],
        "complete": True,
    }
    read = roads.turn("ada", "files--read", path="d/a.txt")
    assert read.content == {"path": "d/a.txt", "content": "é"}
    gone = roads.turn("ada", "files--delete", path="d/a.txt")
    assert gone.content == {"path": "d/a.txt", "deleted": True}
    assert words(roads.turn("ada", "files--read", path="d/a.txt")) == (
        "files--read: d/a.txt isn't there."
    )


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (
            "files--dance",
            {},
            "files has no tool named dance. It has list, read, write, delete.",
        ),
        ("files--read", {}, "files--read: `path` (string) is required"),
        (
            "files--read",
            {"path": "../secret"},
            "files--read: ../secret must be plain names with `/` between them.",
        ),
        ("files--write", {"path": "a"}, "files--write: `content` (string) is required"),
        (
            "files--write",
            {"path": "a", "content": "\ud800"},
            "files--write: `content` holds half a character, which can't be kept",
        ),
        (
            "files--read",
            {"path": "bytes"},
            (
                "files--read: bytes isn't text in UTF-8 (byte 2), so it can't be read "
                "here."
            ),
        ),
        ("nobody--home", {}, "Module not found: nobody"),
        ("files--", {}, "Invalid tool name format: files--, so nothing was done"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_no_file_is_told(
    roads: "Roads", tmp_path: Path, name: str, given: dict[str, Any], expected: str
) -> None:
    (tmp_path / "host/shared/bytes").write_bytes(b"ok\xff")
    assert words(roads.turn("ada", name, **given)) == expected


@pytest.mark.parametrize("name", ["", "a--b", "files"])
def test_a_module_cannot_have_every_name(roads: "Roads", name: str) -> None:
    class Named:
        def __init__(self) -> None:
            self.name = name

        def tools(self) -> tuple[str, ...]:
            return ()

        def call(self, *_: object) -> Any:
            raise AssertionError

    with pytest.raises(ValueError, match=r"module"):
        roads.world.modules.add(Named())


def test_agents_are_what_they_can_be(roads: "Roads") -> None:
    with pytest.raises(ValueError, match="there is an agent named 'ada' already"):
        roads.world.agents.add(Agent("ada"))
    with pytest.raises(ValueError, match="an agent has a name"):
        Agent("")
    with pytest.raises(ValueError, match="it isn't a fork"):
        Agent("zoe", primary=True, home="lobby")
    roads.world.agents.add(Agent("zoe"))
    roads.world.agents.remove("zoe")
    assert roads.world.agents.get("zoe") is None
