"""Whether a module is what its table compiles to, and what differs."""

import difflib

from toolroute_codegen.cli._say import painted, visible


def same_lines(one: str, other: str) -> bool:
    """Whether the texts are equal, however a checkout has ended their lines."""
    return one.replace("\r\n", "\n") == other.replace("\r\n", "\n")


def difference(old: str, new: str, name: str, *, colour: bool) -> str:
    """The unified diff that makes `old` the `new`, what isn't printable escaped."""
    lines = difflib.unified_diff(
        old.replace("\r\n", "\n").split("\n"),
        new.split("\n"),
        f"{name} (as it is)",
        f"{name} (as the table has it)",
        lineterm="",
    )
    shown = (visible(line, keep="\t") for line in lines)
    return "\n".join(_painted(line, colour=colour) for line in shown)


def _painted(line: str, *, colour: bool) -> str:
    if line.startswith(("---", "+++")):
        return painted(line, "bold", colour=colour)
    style = {"-": "red", "+": "green", "@": "cyan"}.get(line[:1])
    return painted(line, style, colour=colour) if style else line
