"""A file that somebody named is read, or told for what it is; nothing waits for one."""

import os
import socket
from pathlib import Path

import pytest

from toolroute_codegen.cli._read import read_text
from toolroute_codegen.cli._trouble import Trouble


def told(path: Path, largest: int = 1000) -> str:
    with pytest.raises(Trouble) as stopped:
        read_text(path, largest)
    return str(stopped.value)


def test_text_is_read_with_its_line_ends_and_its_mark_as_they_are(folder: Path) -> None:
    (folder / "t").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(folder / "t") == "\ufeffa\r\nb\rc\n"


def test_a_missing_file_is_told_with_a_near_name(folder: Path) -> None:
    (folder / "routes.yaml").touch()
    assert told(folder / "route.yaml") == (
        "there is no file route.yaml. Did you mean routes.yaml?"
    )


def test_a_missing_file_in_a_missing_folder_is_told(folder: Path) -> None:
    assert told(folder / "no" / "r.yaml") == "there is no file no/r.yaml."


def test_a_folder_is_told(folder: Path) -> None:
    (folder / "routes.yaml").mkdir()
    assert told(folder / "routes.yaml") == (
        "routes.yaml is a folder, and a file is wanted."
    )


def test_a_path_through_a_file_is_told(folder: Path) -> None:
    (folder / "f").touch()
    assert told(folder / "f" / "r.yaml") == "f/r.yaml can't be read: not a directory."


def test_a_symlink_to_itself_is_told(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    assert told(folder / "loop") == (
        "loop can't be read: too many levels of symbolic links."
    )


def test_a_name_too_long_for_the_system_is_told(folder: Path) -> None:
    name = "x" * 300
    assert told(folder / name) == f"{name} can't be read: file name too long."


def test_a_name_with_a_nul_is_told() -> None:
    assert told(Path("a\0b")) == "a\\x00b can't be a file: there is a NUL in its name."


def test_a_fifo_a_socket_and_a_device_are_told_and_nothing_waits(folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in (folder / "fifo", folder / "socket", Path("/dev/zero")):
            assert told(path).endswith(
                " is a pipe, a device or a socket, and a file is wanted: "
                "save what comes from it, and name that."
            )


def test_a_file_over_the_limit_is_told_and_one_at_it_is_read(folder: Path) -> None:
    (folder / "t").write_bytes(b"x" * 2_000_000)
    assert len(read_text(folder / "t", 2_000_000)) == 2_000_000
    assert told(folder / "t", 1_999_999) == "t is over 1 MB: more than toolroute reads."


def test_a_byte_that_is_not_utf8_is_told_with_its_place(folder: Path) -> None:
    (folder / "t").write_bytes("ä: 1\nöö\t".encode() + b"\xe4\n")
    assert told(folder / "t") == (
        "t:2:4: the byte 0xe4 here isn't UTF-8. Save the file as UTF-8."
    )


def test_a_utf16_file_is_told_as_such(folder: Path) -> None:
    (folder / "t").write_bytes("version: 1".encode("utf-16"))
    assert told(folder / "t") == (
        "t isn't UTF-8: it begins as UTF-16 does. Save it as UTF-8."
    )


def test_a_hostile_name_is_shown_escaped(folder: Path) -> None:
    name = os.fsdecode(b"a\x1b[31m\n\xff\xe2\x80\xae")
    assert told(folder / name) == "there is no file a\\x1b[31m\\n\\udcff\\u202e."
