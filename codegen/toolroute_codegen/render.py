"""From the plan to text: the template names the parts and walks the lists."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from toolroute_codegen.module import Module


def render(module: Module) -> str:
    """The text of `module`; its lines end as they do on Unix."""
    return _template().render(module=module)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("toolroute_codegen"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Python, where each part is already a literal
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("module.py.j2")
