"""Reading a file that somebody named: bounded, never waiting, and never a traceback."""

import difflib
import os
import stat
from itertools import islice
from pathlib import Path
from typing import Final

from toolroute_codegen.cli._say import visible
from toolroute_codegen.cli._trouble import Trouble

LARGEST_TABLE: Final = 10_000_000
"""Bytes of a table, or of pyproject.toml: 10 MB."""

LARGEST_MODULE: Final = 100_000_000
"""Bytes of a generated module, which is longer than its table."""


def read_text(path: Path, largest: int = LARGEST_TABLE) -> str:
    """The file's text, its line ends as they are; `Trouble` where it can't be had."""
    name = shown(path)
    try:
        data = _bytes(path, name, largest)
    except FileNotFoundError:
        raise Trouble(f"there is no file {name}.{_near(path)}") from None
    except OSError as refused:
        raise Trouble(f"{name} can't be read: {reason(refused)}.") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as undecodable:
        raise Trouble(_not_utf8(name, data, undecodable.start)) from None


def shown(path: Path) -> str:
    """`path` for people: from the current folder where it's in it, and visible."""
    try:
        short = path.relative_to(Path.cwd())
    except (ValueError, OSError):
        short = path
    return visible(str(short), keep="")


def reason(refused: OSError) -> str:
    """The system's own words, to be put into a sentence."""
    words = refused.strerror or "the system doesn't say why"
    return words[0].lower() + words[1:]


def _bytes(path: Path, name: str, largest: int) -> bytes:
    if "\0" in str(path):
        raise Trouble(f"{name} can't be a file: there is a NUL in its name.")
    _must_be_a_file(path.stat().st_mode, name)
    # Not to wait where a FIFO has taken the file's place meanwhile.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        _must_be_a_file(os.fstat(handle).st_mode, name)
        data = file.read(largest + 1)
    if len(data) > largest:
        raise Trouble(
            f"{name} is over {largest // 1_000_000} MB: more than toolroute reads."
        )
    return data


def _must_be_a_file(mode: int, name: str) -> None:
    if stat.S_ISDIR(mode):
        raise Trouble(f"{name} is a folder, and a file is wanted.")
    if not stat.S_ISREG(mode):
        raise Trouble(
            f"{name} is a pipe, a device or a socket, and a file is wanted: "
            "save what comes from it, and name that."
        )


def _not_utf8(name: str, data: bytes, start: int) -> str:
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return f"{name} isn't UTF-8: it begins as UTF-16 does. Save it as UTF-8."
    line_start = data.rfind(b"\n", 0, start) + 1
    line = data.count(b"\n", 0, start) + 1
    column = len(data[line_start:start].decode("utf-8")) + 1
    return (
        f"{name}:{line}:{column}: the byte 0x{data[start]:02x} here isn't UTF-8. "
        "Save the file as UTF-8."
    )


def _near(path: Path) -> str:
    try:
        beside = [entry.name for entry in islice(os.scandir(path.parent), 1000)]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, beside, n=1, cutoff=0.7)
    return f" Did you mean {visible(near[0], keep='')}?" if near else ""
