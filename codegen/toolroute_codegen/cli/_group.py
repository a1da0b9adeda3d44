"""The commands by name: each is imported when it's asked for.

Other packages add theirs through the entry-point group `toolroute.commands`, as click
commands. A built-in name is never theirs.
"""

import difflib
from importlib import import_module
from typing import TYPE_CHECKING, Final, final

import click

from toolroute_codegen.cli._say import visible
from toolroute_codegen.cli._trouble import Trouble

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "toolroute.commands"

BUILT_IN: Final = (
    *("init", "build", "check"),
    *("explain", "table", "surface"),
    *("rule", "schema"),
)
"""In the order of the help: each is `command` in the module `_NAME`."""


@final
class Commands(click.Group):
    """The `toolroute` command."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Every command's name: ours in their order, then others' in the alphabet's."""
        return [*BUILT_IN, *sorted(set(_entry_points()).difference(BUILT_IN))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command; `Trouble` where it's another package's and can't be loaded."""
        if cmd_name in BUILT_IN:
            module = import_module(f"toolroute_codegen.cli._{cmd_name}")
            return _as_command(module.command, "toolroute", cmd_name)
        owners = _entry_points()
        return _loaded(cmd_name, owners[cmd_name]) if cmd_name in owners else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names, or near names for it."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            meant = f" Did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"there is no command `{name}`.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, of which there must be one: without any, the help is told."""
        if not args:
            raise click.UsageError("", ctx)
        return super().parse_args(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """A line for each command; one that can't be loaded says so."""
        rows = [(name, self._line(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _line(self, ctx: click.Context, name: str) -> str:
        try:
            command = self.get_command(ctx, name)
        except Trouble as told:
            return str(told)
        return command.get_short_help_str(200) if command else ""


def _entry_points() -> dict[str, "EntryPoint"]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - 20 ms, for others' alone

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _loaded(name: str, point: "EntryPoint") -> click.Command:
    owner = point.dist.name if point.dist else "another package"
    try:
        loaded = point.load()
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - whatever another's module does
        words = visible(f"{type(raised).__name__}: {raised}", keep="")
        raise Trouble(
            f"the command `{name}` of {owner} can't be loaded ({words}). "
            f"Mend or remove {owner}: its entry point is {point.value}."
        ) from None
    return _as_command(loaded, owner, name)


def _as_command(loaded: object, owner: str, name: str) -> click.Command:
    if not isinstance(loaded, click.Command):
        raise Trouble(
            f"the command `{name}` of {owner} can't be run: its entry point isn't a "
            f"click command. Mend or remove {owner}."
        )
    return loaded
