"""From the plan to text: the template names the parts and walks the lists."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from toolroute_codegen.module import Module


def render(module: Module) -> str:
    """The text of `module`; its lines end as they do on Unix."""
    return environment().get_template("module.py.j2").render(module=module)


@cache
def environment() -> Environment:
    """Where templates are read: a name that isn't there is an error."""
    return Environment(
        loader=PackageLoader("toolroute_codegen"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Python, where each part is already a literal
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
