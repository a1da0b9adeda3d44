from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._stages import checked


@options.command(
    "surface",
    "toolroute surface --caller turn --with channel_registry",
    "toolroute surface --caller module --output-format json",
)
@options.table
@options.caller
@options.present
@options.output_format
def command(
    *, table: str | None, caller: str, present: tuple[str, ...], output_format: str
) -> int:
    """List the names that a caller is offered, in the table's order.

    A route that takes names by their pattern offers those that the running host lists:
    it is shown as its pattern. What a guard may still hide is marked.
    """
    # Here, since help needs none of it.
    from toolroute_codegen.cli._asking import Said, asking  # noqa: PLC0415
    from toolroute_codegen.cli._offered import tell  # noqa: PLC0415

    read = checked(table, output_format)
    if read is None:
        return 1
    tell(asking(read, Said(caller=caller, present=present)), output_format)
    return 0
