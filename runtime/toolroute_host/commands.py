"""The commands `toolroute call` and `serve`, over a host's folder.

What they need is imported when they run: the list of commands is shown without.
"""

import asyncio
import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, cast, get_args

import click

from toolroute import ToolCall
from toolroute_host._json_text import loads
from toolroute_host._system import see_that_it_runs_here
from toolroute_host._unusable import UnusableError
from toolroute_host.dispatch import Caller

__all__ = ["call", "serve"]

EXAMPLES = """\b
Examples:
  toolroute call think --as turn --agent agent --input '{"content": "hm"}'
  toolroute call channel_list --as puppet
  toolroute call files--list --host ./my-host"""

SERVE_EXAMPLES = """\b
Examples:
  echo '{"name": "think", "as": "turn"}' | toolroute serve
  toolroute serve --host ./my-host"""

_host = click.option(
    "--host",
    "folder",
    default=".toolroute-host",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The host's folder; made if it isn't there.",
)


@click.command("call", epilog=EXAMPLES)
@click.argument("name")
@click.option(
    "--as",
    "caller",
    type=click.Choice(get_args(Caller)),
    default="host",
    show_default=True,
    help="Who makes the call.",
)
@click.option(
    "--agent",
    help="The agent that it's made as. For turn, script and puppet the host's only "
    "one, when left out; else nobody.",
)
@click.option("--input", "given", default="{}", help="The arguments: a JSON object.")
@_host
def call(name: str, caller: Caller, agent: str | None, given: str, folder: Path) -> int:
    """Make one call against a host, and print its answer.

    The exit status is 0 for an answer, 1 for one that's an error or a refusal.
    """
    tool_call = ToolCall(f"call_{token_hex(12)}", name, _arguments(given))
    with _needed():
        from toolroute_host._one_call import make  # noqa: PLC0415

        answer = asyncio.run(make(folder, tool_call, caller, agent))
    click.echo(json.dumps(answer.content, indent=2))
    return int(answer.is_error)


@click.command("serve", epilog=SERVE_EXAMPLES)
@_host
def serve(folder: Path) -> int:
    """Run a host: requests as lines of JSON on standard input, answers on output.

    It also wakes agents when their deadlines come, and says so. It ends with its input.
    """
    with _needed():
        from toolroute_host._serve import serve as run  # noqa: PLC0415

        # Not `sys.stdin`: a thread that waits in it doesn't let the interpreter end.
        lines = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
        asyncio.run(run(folder, lines, _written))
    return 0


def _written(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


@contextmanager
def _needed() -> Generator[None]:
    """Tell in a sentence what isn't installed, and what can't be used."""
    try:
        see_that_it_runs_here()
        yield
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"this command needs the package {missing.name}, which isn't installed. "
            "Install the host with: pip install 'toolroute[host]'"
        ) from missing
    except (ImportError, UnusableError) as error:
        raise click.ClickException(str(error)) from error


def _arguments(given: str) -> dict[str, Any]:
    try:
        read = loads(given)
    except ValueError as error:
        raise click.UsageError(f"--input isn't JSON: {error}.") from error
    if not isinstance(read, dict):
        raise click.UsageError('--input must be a JSON object, like {"path": "a.txt"}.')
    return cast("dict[str, Any]", read)
