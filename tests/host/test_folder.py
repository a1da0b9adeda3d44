"""Files of a folder are written, read, listed and deleted, or it is said why not."""

import os
import socket
from pathlib import Path

import pytest

from toolroute_host._folder import Entry, Folder, PathError

from .folders import ENOUGH, names, words


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
