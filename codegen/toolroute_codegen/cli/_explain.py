import click

from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._stages import checked


@options.command(
    "explain",
    "toolroute explain think --caller turn --with channel_registry",
    "toolroute explain files--read --caller host --assume mcpl_server=found",
    "toolroute explain toolsets--act --caller turn --assume toolset_act=think",
)
@click.argument("name")
@options.table
@options.caller
@options.present
@click.option(
    "--in-turn/--off-turn",
    default=None,
    help="In a live turn, or not; by default, a turn's and a script's calls are.",
)
@click.option(
    "--assume",
    "assumed",
    multiple=True,
    metavar="NAME=OUTCOME",
    help=(
        "What the host answers: found or nothing (a lookup), allows (a guard), nothing "
        "or a tool's name (an unwrap), a refusal that it declares, or raises. May be "
        "given again, for another."
    ),
)
@options.output_format
def command(  # noqa: PLR0913 - an option each
    *,
    name: str,
    table: str | None,
    caller: str,
    present: tuple[str, ...],
    in_turn: bool | None,
    assumed: tuple[str, ...],
    output_format: str,
) -> int:
    """Show the way of a call of NAME through the table, route by route.

    For each route in order: why it doesn't take the call, or that it does. What only a
    running host knows is shown with each of its outcomes; --assume picks one. (A name
    that begins with a dash goes after the options and --.)
    """
    # Here, since help needs none of it.
    from toolroute_codegen.cli._asking import Said, asking  # noqa: PLC0415
    from toolroute_codegen.cli._explained import tell  # noqa: PLC0415

    read = checked(table, output_format)
    if read is None:
        return 1
    said = Said(
        name=name, caller=caller, present=present, in_turn=in_turn, assumed=assumed
    )
    tell(asking(read, said), output_format)
    return 0
