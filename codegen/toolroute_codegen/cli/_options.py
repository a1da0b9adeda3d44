"""Arguments and options that several commands share."""

from typing import Final

import click

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

HEAD: Final = "\b\nExamples:\n"


def examples(*commands: str) -> str:
    """An epilog with a line for each of `commands`, as they would be typed."""
    return HEAD + "\n".join(f"  {command}" for command in commands)


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
