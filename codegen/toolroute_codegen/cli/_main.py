import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from toolroute_codegen.cli._group import Commands
from toolroute_codegen.cli._options import examples
from toolroute_codegen.cli._read import reason
from toolroute_codegen.cli._say import err, out, visible
from toolroute_codegen.cli._trouble import Trouble

SHOW_FAULTS: Final = "TOOLROUTE_TRACEBACK"
"""The variable that lets a fault of ours go through, with its traceback."""

MISUSED: Final = 2
STOPPED: Final = 130
"""As a shell says it of what Ctrl-C ended."""
READER_GONE: Final = 141
"""As a shell says it of what wrote to a pipe that nobody reads."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command: 0 fine, 1 findings or a difference, 2 misused or unreadable."""
    _make_writable(sys.stdout)
    _make_writable(sys.stderr)
    try:
        status = _told(list(sys.argv[1:] if argv is None else argv))
        if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - after `>&-`
            sys.stdout.flush()
    except BrokenPipeError:
        _silence_output()
        return READER_GONE
    except OSError as refused:
        _silence_output()
        return _said(f"the output can't be written: {reason(refused)}.")
    except KeyboardInterrupt:
        err("toolroute: stopped.")
        return STOPPED
    return status


def _told(arguments: list[str]) -> int:
    """The status of the command; what kept it from its work is told in a sentence."""
    try:
        return _run(arguments)
    except click.UsageError as misuse:
        return _misused(misuse)
    except Exception as stopped:
        sentence = _sentence_of(stopped)
        if sentence is None:
            raise
        return _said(sentence)


def _sentence_of(stopped: Exception) -> str | None:
    """What is said of it; None for what isn't told here."""
    match stopped:
        case Trouble():
            return str(stopped)
        case click.ClickException():
            return visible(stopped.format_message())
        case OSError():
            return _refused(stopped)
        case ModuleNotFoundError(name="jinja2" | "yaml" as package):
            return (
                f"this command needs the package {package}, which isn't installed. "
                "Install the compiler with: pip install 'toolroute[codegen]'"
            )
        case _:
            return None if os.environ.get(SHOW_FAULTS) else _fault(stopped)


def _refused(refused: OSError) -> str | None:
    if refused.filename is None:
        return None  # a stream's
    name = visible(os.fsdecode(refused.filename), keep="")
    return f"{name} can't be used: {reason(refused)}."


def _fault(fault: Exception) -> str:
    step = fault.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    code = "nowhere" if step is None else Path(step.tb_frame.f_code.co_filename).name
    line = 0 if step is None else step.tb_lineno
    seen = f"{type(fault).__name__} in {code}, line {line}: {fault}"
    return (
        f"this is a fault of toolroute's own ({visible(seen, keep='')}). Please report "
        f"it, with the table; with {SHOW_FAULTS}=1 it shows where it comes from."
    )


def _run(arguments: list[str]) -> int:
    # Not click's own `main`: that ends with 1 on a broken pipe, and 1 means findings.
    try:
        with toolroute.make_context("toolroute", arguments) as context:
            answer = toolroute.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    except click.Abort:
        raise KeyboardInterrupt from None
    return answer if isinstance(answer, int) else 0


def _said(sentence: str) -> int:
    err(f"toolroute: {sentence}")
    return MISUSED


def _misused(misuse: click.UsageError) -> int:
    context = misuse.ctx
    path = context.command_path if context else "toolroute"
    if context and not misuse.message and isinstance(context.command, Commands):
        err(context.get_help())
        return MISUSED
    err(f"toolroute: {visible(_sentence(misuse), keep='')}")
    err(f"The options and an example: {path} --help")
    return MISUSED


def _sentence(misuse: click.UsageError) -> str:
    """Click's finding in our voice."""
    match misuse:
        case click.MissingParameter():
            return f"{_hint(misuse)} is missing."
        case click.BadParameter():
            return f"{_hint(misuse)}: {misuse.message}"
        case click.NoSuchOption():
            near = sorted(misuse.possibilities or ())[:1]
            meant = f" Did you mean {near[0]}?" if near else ""
            return f"there is no option {misuse.option_name}.{meant}"
        case _:
            return misuse.format_message()


def _hint(misuse: click.BadParameter) -> str:
    parameter = misuse.param
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    return parameter.human_readable_name if parameter else "an argument"


def _make_writable(stream: object) -> None:
    """Let what the stream's encoding doesn't have come out escaped."""
    if isinstance(stream, io.TextIOWrapper):
        with suppress(ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")


def _silence_output() -> None:
    """Nothing more can be written, so the interpreter needn't try when it ends."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's
    if wanted and not context.resilient_parsing:
        from importlib.metadata import version  # noqa: PLC0415 - 20 ms, for this alone

        out(f"toolroute {version('toolroute')}")
        context.exit()


@click.group(
    cls=Commands,
    name="toolroute",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("toolroute init", "toolroute build", "toolroute check"),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version and stop.",
)
def toolroute() -> None:
    """One table says where every tool call goes.

    routes.yaml is compiled to a typed Python module, which hosts import. Without a
    TABLE, commands take the one that [tool.toolroute] in pyproject.toml names.

    Exit status: 0 fine; 1 findings, or a module that isn't up to date; 2 misused, or a
    file that can't be read or written. `toolroute transcript` is for stored
    conversations: see `toolroute transcript --help`.
    """
