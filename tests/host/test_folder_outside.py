"""Nothing outside of a folder is touched, by whatever path, link or swap."""

import itertools
import os
import shutil
import stat
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolroute_host._folder import Folder, PathError

from .folders import ENOUGH, names, words

HIDDEN = "what stands outside of the folder"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "hidden.txt").write_text(HIDDEN)
    return outside


HOSTILE = {
    "": "an empty path names no file",
    "/etc/passwd": "/etc/passwd must be relative to the folder",
    "//etc/passwd": "//etc/passwd must be relative to the folder",
    "..": ".. must be plain names with `/` between them",
    ".": ". must be plain names with `/` between them",
    "../outside/hidden.txt": (
        "../outside/hidden.txt must be plain names with `/` between them"
    ),
    "a/../../outside/hidden.txt": (
        "a/../../outside/hidden.txt must be plain names with `/` between them"
    ),
    "a//b": "a//b must be plain names with `/` between them",
    "a/": "a/ must be plain names with `/` between them",
    "a\0b": "a\\x00b holds a character that no file here has",
    "a\nb": "a\\nb holds a character that no file here has",
    "a\udc80": "a\\udc80 holds a character that no file here has",
    "\u202ea": "\\u202ea holds a character that no file here has",
    "..\\outside": "..\\\\outside holds a character that no file here has",
    "x" * 256: f"{'x' * 200}… holds a name of over 255 bytes",
    "a/" * 40 + "b": f"{'a/' * 40}b goes deeper than 32 folders",
}


@pytest.mark.parametrize("path", HOSTILE, ids=repr)
def test_a_hostile_path_is_refused_in_words_whatever_is_asked(
    folder: Folder, outside: Path, path: str
) -> None:
    said = [
        words(lambda: folder.read(path, ENOUGH)),
        words(lambda: folder.write(path, b"overwritten")),
        words(lambda: folder.delete(path)),
    ]
    assert said == [HOSTILE[path]] * 3
    assert (outside / "hidden.txt").read_text() == HIDDEN


def test_a_link_to_a_file_is_not_read_written_or_deleted(
    folder: Folder, root: Path, outside: Path
) -> None:
    (root / "link").symlink_to(outside / "hidden.txt")
    said = [
        words(lambda: folder.read("link", ENOUGH)),
        words(lambda: folder.write("link", b"overwritten")),
        words(lambda: folder.delete("link")),
    ]
    assert said == ["link is a link, and links aren't followed"] * 3
    assert (outside / "hidden.txt").read_text() == HIDDEN


def test_a_link_to_a_folder_is_not_walked_through(
    folder: Folder, root: Path, outside: Path
) -> None:
    (root / "dir").symlink_to(outside)
    said = [
        words(lambda: folder.read("dir/hidden.txt", ENOUGH)),
        words(lambda: folder.write("dir/hidden.txt", b"overwritten")),
        words(lambda: folder.delete("dir/hidden.txt")),
    ]
    assert said == ["dir/hidden.txt goes through what isn't a folder"] * 3
    assert words(lambda: folder.entries("dir", 10)) == (
        "dir goes through what isn't a folder"
    )
    assert names(outside) == ["hidden.txt"]
    assert (outside / "hidden.txt").read_text() == HIDDEN


def test_a_file_of_two_names_is_not_read_and_replaced_under_one_alone(
    folder: Folder, root: Path, outside: Path
) -> None:
    (root / "linked").hardlink_to(outside / "hidden.txt")
    assert words(lambda: folder.read("linked", ENOUGH)) == (
        "linked is also a file of another name (a hard link), which may stand "
        "outside, so it isn't read"
    )
    assert folder.write("linked", b"new") is True
    assert folder.read("linked", ENOUGH) == b"new"
    assert (outside / "hidden.txt").read_text() == HIDDEN


def test_whatever_is_swapped_meanwhile_nothing_outside_is_read_or_written(
    folder: Folder, root: Path, outside: Path
) -> None:
    """A thread makes `here` a folder, a link, a folder, ...; and so the file in it."""
    for path in (root / "real", root / "link"):
        path.mkdir()
    (root / "real/hidden.txt").write_text("inside")
    (root / "link/hidden.txt").symlink_to(outside / "hidden.txt")
    (root / "link2").symlink_to(outside)
    over = threading.Event()

    def swap() -> None:
        for name in itertools.cycle(("real", "link", "link2")):
            try:
                (root / name).rename(root / "here")
                (root / "here").rename(root / name)
            except OSError:  # a write has made the folder meanwhile
                shutil.rmtree(root / "here", ignore_errors=True)
            if over.is_set():
                return

    swapping = threading.Thread(target=swap)
    swapping.start()
    read = Counter[bytes | str]()
    try:
        for number in range(10_000):
            try:
                read[folder.read("here/hidden.txt", ENOUGH)] += 1
                if number % 10 == 0:
                    folder.write("here/new.txt", b"new")
            except PathError as refused:
                read[str(refused)] += 1
    finally:
        over.set()
        swapping.join()
    assert set(read) <= {
        b"inside",
        "here/hidden.txt isn't there",
        "here/hidden.txt is a link, and links aren't followed",
        "here/hidden.txt goes through what isn't a folder",
        "here/new.txt isn't there",
        "here/new.txt is a link, and links aren't followed",
        "here/new.txt goes through what isn't a folder",
    }
    assert len(read) > 2
    assert b"inside" in read
    assert names(outside) == ["hidden.txt"]
    assert (outside / "hidden.txt").read_text() == HIDDEN


def test_a_file_swapped_for_a_link_after_it_was_looked_at_is_not_followed(
    folder: Folder, root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").write_text("inside")
    real = os.stat

    def then_swapped(path: str, **more: Any) -> os.stat_result:
        found = real(path, **more)
        if stat.S_ISREG(found.st_mode):
            (root / "file").unlink()
            (root / "file").symlink_to(outside / "hidden.txt")
        return found

    monkeypatch.setattr(os, "stat", then_swapped)
    assert words(lambda: folder.read("file", ENOUGH)) == (
        "file is a link, and links aren't followed"
    )


def test_a_file_swapped_for_a_pipe_after_it_was_looked_at_does_not_hang(
    folder: Folder, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").write_text("inside")
    real = os.stat

    def then_swapped(path: str, **more: Any) -> os.stat_result:
        found = real(path, **more)
        (root / "file").unlink()
        os.mkfifo(root / "file")
        return found

    monkeypatch.setattr(os, "stat", then_swapped)
    assert words(lambda: folder.read("file", ENOUGH)) == ("file isn't an ordinary file")


def test_a_folder_swapped_for_a_link_while_it_is_walked_leads_nowhere_else(
    folder: Folder, root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/hidden.txt").write_text("inside")
    real = os.open
    opened: list[object] = []

    def then_swapped(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        descriptor = real(path, flags, mode, **more)
        opened.append(path)
        if path == "a":  # it's open; now its name leads outside
            (root / "a").rename(root / "moved")
            (root / "a").symlink_to(outside.parent)
        return descriptor

    monkeypatch.setattr(os, "open", then_swapped)
    assert folder.read("a/b/hidden.txt", ENOUGH) == b"inside"
    assert opened == [root, "a", "b", "hidden.txt"]


def test_a_write_that_finds_a_link_at_the_last_moment_replaces_the_link_alone(
    folder: Folder, root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.rename

    def after_swap(src: str, dst: str, **more: int) -> None:
        (root / "file").symlink_to(outside / "hidden.txt")
        real(src, dst, **more)

    monkeypatch.setattr(os, "rename", after_swap)
    folder.write("file", b"new")
    assert (outside / "hidden.txt").read_text() == HIDDEN
    assert not (root / "file").is_symlink()
    assert (root / "file").read_bytes() == b"new"
