"""The printer, beside the formatter: quotes, widths, and every length of a name."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dressing import HOSTILE
from goldens import ACCEPTED
from modules import text_of
from test_generated_shape import formatted

from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.plan._layout import (
    Filled,
    call,
    docstring,
    f_string,
    laid_out,
    literal,
    literals,
    operands,
)
from toolroute_codegen.table import as_written


@pytest.mark.parametrize("text", [*HOSTILE, "plain", "it's", 'say "x"', "'\"", ""])
def test_a_literal_is_the_text(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert literal(text).isprintable()


@pytest.mark.parametrize(
    "text", [*HOSTILE, "plain", "it's", 'say "x"', "{a}", "}{", ""]
)
def test_an_f_string_is_the_text_around_its_values(text: str) -> None:
    made = f_string([text, Filled("value"), text])
    assert eval(made, {"value": "V"}) == f"{text}V{text}"  # noqa: S307 - its test


def test_quotes_are_the_formatters(tmp_path: Path) -> None:
    lines = [f"x = {literal(text)}\n" for text in (*HOSTILE, "it's", 'say "x"', '\'""')]
    lines += [f"x = {f_string([text, Filled('x')])}\n" for text in HOSTILE]
    (tmp_path / "quotes.py").write_text("".join(lines), encoding="utf-8")
    assert formatted(tmp_path) == ""


def test_a_call_is_broken_as_the_formatter_breaks_it() -> None:
    short = call("f", "a", "b")
    long = call("f", "a" * 50, "b" * 30)
    longer = call("f", "a" * 50, "b" * 50)
    deep = call("f", "a", literals(["b" * 50, "c" * 50]))
    assert [laid_out(each, before="x = ") for each in (short, long, longer, deep)] == [
        "x = f(a, b)",
        f"x = f(\n    {'a' * 50}, {'b' * 30}\n)",
        f"x = f(\n    {'a' * 50},\n    {'b' * 50},\n)",
        "x = f(\n    a,\n    (\n"
        + "".join(f'        "{each * 50}",\n' for each in "bc")
        + "    ),\n)",
    ]


def test_conditions_are_broken_before_their_operators() -> None:
    parts = ["a" * 40, "b" * 35, f"{'c' * 80} is not None"]
    assert operands("if ", ["a", "b"], "and", ":", "    ") == "    if a and b:"
    assert operands("if ", parts[:2], "and", ":") == (f"if {parts[0]} and {parts[1]}:")
    assert operands("if ", parts, "and", ":") == (
        f"if (\n    {parts[0]}\n    and {parts[1]}\n"
        f"    and {'c' * 80}\n    is not None\n):"
    )


def test_a_doc_is_wrapped_and_closed_where_the_formatter_closes_it() -> None:
    assert docstring("a\n  b\tc", "    ") == '    """a b c"""'
    assert docstring("word " * 20, "") == (
        f'"""{"word " * 16}word\n{"word " * 2}word\n"""'
    )
    assert docstring("x" * 100, "") == f'"""{"x" * 100}"""'
    assert docstring('"quoted"', "") == r'"""\x22quoted\x22"""'
    assert docstring('a """ b', "") == r'"""a \x22\x22\x22 b"""'


@pytest.fixture(scope="module")
def long_table() -> dict[str, Any]:
    """A table whose every word has the greatest length."""
    text = (ACCEPTED / "long.yaml").read_text(encoding="utf-8")
    return as_written(parse(load(text, "long.yaml")).written)


def test_names_of_every_length_are_laid_out_as_the_formatter_would(
    tmp_path: Path, long_table: dict[str, Any]
) -> None:
    for length in range(12, 65):
        text = text_of(_cut(long_table, 64 - length))
        (tmp_path / f"m{length}.py").write_text(text, encoding="utf-8")
    for length in range(12, 65, 4):
        for other in range(12, 65, 4):
            text = text_of(_cut(long_table, 64 - length, 64 - other))
            (tmp_path / f"m{length}_{other}.py").write_text(text, encoding="utf-8")
    assert formatted(tmp_path) == ""


_XS = re.compile(r"_x{50,}")


def _cut(node: Any, characters: int, of_kinds: int | None = None) -> Any:
    """The table with shorter words; those of kinds are cut by another number."""
    if isinstance(node, dict):
        return {
            _cut(key, characters, of_kinds): _cut(
                value, of_kinds if key == "kind" and of_kinds else characters, of_kinds
            )
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [_cut(each, characters, of_kinds) for each in node]
    if isinstance(node, str):
        return _XS.sub(lambda found: found[0][: len(found[0]) - characters], node)
    return node


def test_the_formatter_that_is_asked_would_change_something(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("x = 'single'\n")
    assert "+x = " in formatted(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "--version"], capture_output=True, check=True
    )
    assert ran.stdout.startswith(b"ruff ")
