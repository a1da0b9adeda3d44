"""The JSON Schema of routes.yaml: fresh, described throughout, and true."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from toolroute_codegen.cli import main
from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.schema import as_text, schema

ROOT = Path(__file__).parents[3]


def errors(text: str) -> list[str]:
    found = Draft202012Validator(schema()).iter_errors(yaml.safe_load(text))
    return [error.json_path for error in found]


def keys(node: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in node.get("properties", {}).items():
        yield f"{way}.{name}", value
    for name, value in node.get("$defs", {}).items():
        yield name, value
        yield from keys(value, name)


def test_the_committed_schema_is_fresh() -> None:
    """Renew it with: python -m toolroute_codegen.schema."""
    committed = files("toolroute_codegen").joinpath("routes.schema.json")
    assert committed.read_text("utf-8") == as_text()


def test_the_command_prints_the_committed_schema(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["schema"]) == 0
    assert capsys.readouterr() == (as_text(), "")


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())
    assert json.loads(as_text()) == schema()


def test_every_key_has_a_description_that_is_a_sentence() -> None:
    described = {way: value.get("description", "") for way, value in keys(schema())}
    assert [way for way, words in described.items() if not words.endswith(".")] == []


def test_the_table_that_init_writes_is_of_the_schema() -> None:
    assert errors(TABLE) == []


def test_the_root_table_is_of_the_schema_and_points_to_it() -> None:
    text = (ROOT / "routes.yaml").read_text("utf-8")
    assert errors(text) == []
    pointers = [line for line in text.splitlines() if "yaml-language-server" in line]
    (pointer,) = pointers
    path = pointer.removeprefix("# yaml-language-server: $schema=")
    assert (ROOT / path).read_text("utf-8") == as_text()


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("version: 1", "version: 2", ["$.version"]),
        ("names: [greet]", "names: [greet]\n    prefix: x", ["$.routes[0]"]),
        ("names: [greet]", "requires: []", ["$.routes[0]"]),
        ("names: [greet]", "names: [a b]", ["$.routes[0].names[0]"]),
        ("names: [greet]", "name: [greet]", ["$.routes[0]", "$.routes[0]"]),
        ("names: [greet]", "names: [greet]\n    guard:", ["$.routes[0].guard"]),
        ("{road: turn,", "{road: tern,", ["$.callers.turn.road"]),
        ('retry: "no"', "retry: never", ["$.refusals.agents_own.retry"]),
    ],
)
def test_what_is_not_of_the_language_is_not_of_the_schema(
    old: str, new: str, where: list[str]
) -> None:
    assert TABLE.count(old) == 1
    assert sorted(errors(TABLE.replace(old, new))) == where
