"""A path leads into the folder or is refused in words; nothing outside is touched."""

import itertools
import os
import shutil
import socket
import stat
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute_host._folder import Entry, Folder, PathError

HIDDEN = "what stands outside of the folder"
ENOUGH = 1_000_000


def words(ask: Callable[[], object]) -> str:
    with pytest.raises(PathError) as refused:
        ask()
    return str(refused.value)


def names(root: Path) -> list[str]:
    return sorted(each.name for each in root.iterdir())


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "hidden.txt").write_text(HIDDEN)
    return outside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


@pytest.fixture
def folder(root: Path) -> Folder:
    return Folder(root)


def test_what_is_written_is_read(folder: Folder, root: Path) -> None:
    assert folder.write("notes/today.txt", b"hello") is False
    assert folder.read("notes/today.txt", ENOUGH) == b"hello"
    assert (root / "notes/today.txt").read_bytes() == b"hello"


def test_a_write_replaces_the_whole_file_and_says_so(
    folder: Folder, root: Path
) -> None:
    folder.write("a.txt", b"a long first text")
    assert folder.write("a.txt", b"short") is True
    assert folder.read("a.txt", ENOUGH) == b"short"
    assert names(root) == ["a.txt"]


def test_a_deleted_file_is_gone(folder: Folder, root: Path) -> None:
    folder.write("a.txt", b"")
    folder.delete("a.txt")
    assert names(root) == []
    assert words(lambda: folder.delete("a.txt")) == ("a.txt isn't there")


def test_a_folder_is_listed_by_name_with_kinds_and_sizes(
    folder: Folder, root: Path
) -> None:
    folder.write("b.txt", b"12345")
    folder.write("a/inner.txt", b"")
    (root / "link").symlink_to("/etc/passwd")
    assert folder.entries("", 10) == (
        [
            Entry("a", "folder", None),
            Entry("b.txt", "file", 5),
            Entry("link", "other", None),
        ],
        True,
    )
    assert folder.entries("a", 10) == ([Entry("inner.txt", "file", 0)], True)
    assert folder.entries("", 1) == ([Entry("a", "folder", None)], False)


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


def test_a_pipe_is_refused_without_waiting_for_its_other_end(
    folder: Folder, root: Path
) -> None:
    os.mkfifo(root / "pipe")
    said = [
        words(lambda: folder.read("pipe", ENOUGH)),
        words(lambda: folder.write("pipe", b"")),
    ]
    assert said == ["pipe isn't an ordinary file"] * 2


def test_a_socket_is_refused(folder: Folder, root: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "s"))
        said = words(lambda: folder.read("s", ENOUGH))
    assert said == "s isn't an ordinary file"


def test_a_folder_is_no_file(folder: Folder, root: Path) -> None:
    (root / "d").mkdir()
    said = [
        words(lambda: folder.read("d", ENOUGH)),
        words(lambda: folder.write("d", b"")),
        words(lambda: folder.delete("d")),
    ]
    assert said == ["d is a folder, not a file"] * 3


def test_a_file_larger_than_is_read_at_once_is_not_read(
    folder: Folder, root: Path
) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(1 << 33)  # eight gigabytes of holes
    assert words(lambda: folder.read("huge", ENOUGH)) == (
        "huge holds 8,589,934,592 bytes, more than the 1,000,000 that are read at once"
    )


def test_a_file_that_grows_while_it_is_read_is_given_up(
    folder: Folder, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "log").write_bytes(b"12345")
    real = os.read

    def growing(descriptor: int, most: int) -> bytes:
        with (root / "log").open("ab") as file:
            file.write(b"more")
        return real(descriptor, most)

    monkeypatch.setattr(os, "read", growing)
    assert words(lambda: folder.read("log", 8)) == ("log grew while it was read")


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


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(
    folder: Folder, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("file", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert words(lambda: folder.write("file", b"new")) == (
        "file can't be used: no space left on device"
    )
    assert names(root) == ["file"]
    assert (root / "file").read_bytes() == b"old"


def test_no_descriptor_is_left_open(folder: Folder, root: Path) -> None:
    (root / "link").symlink_to("/etc")
    before = len(names(Path("/proc/self/fd")))
    for path in ("a/b/c", "link/x", "missing/x"):
        folder.write("a/b/c", b"x")
        try:
            folder.read(path, ENOUGH)
            folder.write(path, b"y")
            folder.entries(path, 3)
        except PathError:
            pass
    assert len(names(Path("/proc/self/fd"))) == before


def test_a_root_that_is_no_folder_is_the_hosts_mistake(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Folder(tmp_path / "missing")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        Folder(tmp_path / "file")
