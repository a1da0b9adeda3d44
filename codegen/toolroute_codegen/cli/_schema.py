from toolroute_codegen.cli import _options as options
from toolroute_codegen.cli._say import out


@options.command("schema", "toolroute schema > routes.schema.json")
def command() -> int:
    """Print the JSON Schema of routes.yaml, for editors.

    With the file that the example makes, put this line first in routes.yaml:
    `# yaml-language-server: $schema=routes.schema.json`.
    """
    from importlib.resources import files  # noqa: PLC0415 - for this command alone

    committed = files("toolroute_codegen").joinpath("routes.schema.json")
    out(committed.read_text("utf-8").rstrip("\n"))
    return 0
