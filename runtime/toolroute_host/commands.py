"""The command `toolroute call`: one call against a host's folder, from a terminal.

What it needs is imported when it runs: the list of commands is shown without.
"""

import asyncio
import json
from pathlib import Path
from secrets import token_hex
from typing import Any, cast, get_args

import click

from toolroute import ToolCall
from toolroute_host.dispatch import Caller

__all__ = ["call"]

EXAMPLES = """\b
Examples:
  toolroute call think --as turn --agent agent --input '{"content": "hm"}'
  toolroute call channel_list --as puppet
  toolroute call files--list --host ./my-host"""


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
@click.option(
    "--host",
    "folder",
    default=".toolroute-host",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The host's folder; made if it isn't there.",
)
def call(name: str, caller: Caller, agent: str | None, given: str, folder: Path) -> int:
    """Make one call against a host, and print its answer.

    The exit status is 0 for an answer, 1 for one that's an error or a refusal.
    """
    tool_call = ToolCall(f"call_{token_hex(12)}", name, _arguments(given))
    try:
        from toolroute_host._one_call import UnusableError, make  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"this command needs the package {missing.name}, which isn't installed. "
            "Install the host with: pip install 'toolroute[host]'"
        ) from missing
    try:
        answer = asyncio.run(make(folder, tool_call, caller, agent))
    except UnusableError as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps(answer.content, indent=2))
    return int(answer.is_error)


def _arguments(given: str) -> dict[str, Any]:
    try:
        read: object = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"--input isn't JSON: {error}.") from error
    if not isinstance(read, dict):
        raise click.UsageError('--input must be a JSON object, like {"path": "a.txt"}.')
    return cast("dict[str, Any]", read)
