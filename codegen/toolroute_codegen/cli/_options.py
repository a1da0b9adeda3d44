"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Any, final

import click


def examples(*commands: str) -> str:
    """An epilog with a line for each of `commands`, as they would be typed."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


@final
class _Command(click.Command):
    """A command whose misuse is always its own: click leaves some to the group."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as misuse:
            misuse.ctx = misuse.ctx or ctx
            raise


def command(
    name: str, *examples_: str
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command of this name, with examples of its use."""
    return click.command(name, cls=_Command, epilog=examples(*examples_))


table = click.argument("table", required=False, metavar="[TABLE]")

output = click.option(
    "--output",
    metavar="FILE",
    help="The generated module; by default, `output` of [tool.toolroute].",
)

output_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs.",
)

findings_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="For people, for programs, for GitHub's marks on a change, or for scanners.",
)

caller = click.option(
    "--caller",
    required=True,
    metavar="CALLER",
    help="Who calls: a name under `callers:`.",
)

present = click.option(
    "--with",
    "present",
    multiple=True,
    metavar="CAPABILITY",
    help="A capability that is present; the others are absent. May be given again.",
)

follow_symlinks = click.option(
    "--follow-symlinks",
    is_flag=True,
    help="Write through a symlink, to the place that it points to.",
)

outside_project = click.option(
    "--outside-project",
    is_flag=True,
    help="Write outside the folder that pyproject.toml, or the repository, is in.",
)
