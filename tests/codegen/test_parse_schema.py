"""A file has the shape of a table where the JSON Schema says so, and nowhere else."""

import copy
import json
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolroute_codegen.diagnostics import Rejected
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.schema import schema
from toolroute_codegen.table import as_written

ROOT = (Path(__file__).parents[2] / "routes.yaml").read_text(encoding="utf-8")
TABLE = yaml.safe_load(ROOT)
TABLE["normalise"] = ["trim"]
TABLE["routes"][0] |= {"plane": "server", "when_missing": "unknown_tool"}

NOT_IN_THE_SCHEMA = {"TR108"}
"""Lists that mustn't be empty: an editor needn't say so while one is being written."""

KEYS = ["kind", "names", "prefix", "within", "lookup", "doc", "type", "with", "x"]
VALUES = st.sampled_from(
    [None, True, 1, 2, 1.5, "text", "never", "client", "turn", [], ["a"], [1], [["a"]]]
) | st.dictionaries(
    st.sampled_from(KEYS), st.sampled_from(["a", ["a"], True, {}]), max_size=2
)


def validator() -> Draft202012Validator:
    made = schema()
    del made["$defs"]["Route"]["properties"]["names"]["items"]["pattern"]
    return Draft202012Validator(made)


VALIDATOR = validator()


def places(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in the table something can be changed."""
    inside = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    return [
        way,
        *(place for key, each in inside for place in places(each, (*way, key))),
    ]


PLACES = places(TABLE)[1:]


def at(table: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        table = table[key]
    return table


@st.composite
def changed(draw: st.DrawFn) -> Any:
    table = copy.deepcopy(TABLE)
    *way, key = draw(st.sampled_from(PLACES))
    owner = at(table, tuple(way))
    match draw(st.sampled_from(["replaced", "removed", "added"])):
        case "removed":
            del owner[key]
        case "added" if isinstance(owner, dict):
            owner[draw(st.sampled_from(KEYS))] = draw(VALUES)
        case _:
            owner[key] = draw(VALUES)
    return table


def shape_of(table: Any) -> list[str]:
    try:
        parse(load(json.dumps(table), "routes.yaml"))
    except Rejected as rejected:
        return [found.code for found in rejected.found]
    return []


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(changed())
def test_the_schema_and_the_parser_agree(table: Any) -> None:
    fits = VALIDATOR.is_valid(table)
    event(f"fits: {fits}")
    found = [code for code in shape_of(table) if code not in NOT_IN_THE_SCHEMA]
    assert (found == []) == fits


def test_the_table_itself_fits() -> None:
    assert (shape_of(TABLE), VALIDATOR.is_valid(TABLE)) == ([], True)


def test_a_table_is_as_it_was_written() -> None:
    table = parse(load(ROOT, "routes.yaml"))
    again = as_written(table.written)
    assert again["routes"][1] == {
        "kind": "mcpl",
        "doc": "the tools of connected MCP servers",
        "lookup": "mcpl_server",
        "within": {"split": "--"},
        "requires": ["mcpl_registry"],
        "guard": "tool_policy",
    }
    assert parse(load(json.dumps(again), "routes.yaml")).written == table.written
