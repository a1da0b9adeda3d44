"""The options, and their help."""

import argparse
from collections.abc import Callable
from textwrap import fill
from typing import Final, Never, final

from toolroute._text import one_line
from toolroute.transcript._command_files import STANDARD
from toolroute.transcript._command_report import escaped
from toolroute.transcript._registry import format_names

_SHAPES: Final = (
    "FILE is a JSON array of messages, an object that holds one as `messages`, `input` "
    "or `contents`, or JSON Lines with one message a line; `-` is standard input."
)
_EXITS: Final = """\
exit status:
  0  nothing is wrong{fine}
  1  {found}
  2  misused, or the file can't be read as a transcript
"""


@final
class _Parser(argparse.ArgumentParser):
    """Says what is wrong, and where the help is."""

    def error(self, message: str) -> Never:
        message = message.replace("invalid choice: ", "there is no choice ")
        self.exit(2, f"toolroute: {escaped(message)}.\nSee: {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """The parser of everything behind `toolroute transcript`."""
    top = _Parser(
        prog="toolroute transcript",
        description="Check and settle the transcripts of conversations with tools.",
        allow_abbrev=False,
    )
    commands = top.add_subparsers(
        dest="command", metavar="check | settle", required=True
    )
    _check(commands.add_parser)
    _settle(commands.add_parser)
    return top


def _check(add: Callable[..., argparse.ArgumentParser]) -> None:
    check = add(
        "check",
        help="say what the provider would refuse, and where",
        description=fill("Say what the provider would refuse, and where. " + _SHAPES),
        epilog=_EXITS.format(
            fine="", found="something is wrong, and settling mends it"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _common(check)


def _settle(add: Callable[..., argparse.ArgumentParser]) -> None:
    settle = add(
        "settle",
        help="write a transcript that the provider accepts",
        description=fill(
            "Write a transcript that the provider accepts: to standard output, unless "
            "-o or --in-place says where. What is legal stays as it is, to the byte. "
            + _SHAPES
        ),
        epilog=_EXITS.format(
            fine=" any more", found="something is left that can't be mended"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _common(settle)
    settle.add_argument(
        "--answer",
        metavar="ID=FILE",
        action="append",
        default=[],
        help="the real result of the call ID, read from FILE: JSON if its name ends in "
        ".json, otherwise text (repeatable)",
    )
    settle.add_argument(
        "--orphans",
        choices=["text", "drop"],
        default="text",
        help="what becomes of a result whose call is gone: kept as text (default), or "
        "dropped",
    )
    settle.add_argument(
        "--dry-run", action="store_true", help="say what would be done, write nothing"
    )
    places = settle.add_mutually_exclusive_group()
    places.add_argument("-o", dest="out", metavar="OUT", help="write to this file")
    places.add_argument(
        "--in-place",
        action="store_true",
        help="replace FILE, and keep what it was in FILE.bak",
    )


def _size(megabytes: str) -> int:
    """Bytes."""
    try:
        size = int(float(megabytes) * 1_000_000)
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise argparse.ArgumentTypeError(f"`{one_line(megabytes)}` isn't a size in MB")
    return size


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help=f"or `{STANDARD}`")
    command.add_argument(
        "--format",
        choices=format_names(),
        metavar="F",
        help=f"detected if left out; one of {', '.join(format_names())}",
    )
    command.add_argument(
        "--target",
        metavar="T",
        help="whose rules are to hold, where that isn't the strictest reading of the "
        "format: anthropic, mistral:v13, ...",
    )
    command.add_argument(
        "--open-call",
        metavar="ID",
        action="append",
        default=[],
        help="a call that still runs or waits for an approval: left open (repeatable)",
    )
    command.add_argument(
        "--previous-response-id",
        metavar="ID",
        help="earlier items are held by the server (OpenAI Responses)",
    )
    command.add_argument(
        "--max-size",
        metavar="MB",
        type=_size,
        default=10_000_000,
        help="the largest file that is read, in MB (default: 10)",
    )
    command.add_argument(
        "--output-format",
        choices=["text", "json"],
        default="text",
        help="how the report is written (default: text)",
    )
