"""The template names the parts of the plan and walks its lists; it decides nothing."""

from importlib.resources import files

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError, nodes

from toolroute_codegen.render import environment

TEMPLATES = sorted(
    each.name
    for each in files("toolroute_codegen").joinpath("templates").iterdir()
    if each.name.endswith(".j2")
)

WALKS = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For),
    *(nodes.Name, nodes.Getattr),
)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_holds_names_and_loops_only(name: str) -> None:
    source = files("toolroute_codegen").joinpath("templates", name).read_text("utf-8")
    tree = Environment().parse(source)  # noqa: S701 - it's only read
    found = {type(node) for node in tree.find_all(nodes.Node)}
    assert found <= {*WALKS}
    for loop in tree.find_all(nodes.For):
        assert (loop.test, loop.else_, loop.recursive) == (None, [], False)


def test_there_are_templates() -> None:
    assert TEMPLATES == ["module.py.j2"]


def test_a_name_that_the_plan_doesnt_have_is_an_error() -> None:
    assert environment().undefined is StrictUndefined
    with pytest.raises(UndefinedError):
        environment().from_string("{{ module.nothing }}").render(module=object())
