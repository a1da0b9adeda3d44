from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._stages import checked


@options.command("table", "toolroute table", "toolroute table --output-format json")
@options.table
@options.output_format
def command(*, table: str | None, output_format: str) -> int:
    """Show the routes in their order, each with what it takes and what it tests."""
    from toolroute_codegen.cli._listed import tell  # noqa: PLC0415 - not for help

    read = checked(table, output_format)
    if read is None:
        return 1
    tell(read, output_format)
    return 0
