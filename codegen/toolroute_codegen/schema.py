"""The JSON Schema of routes.yaml: what an editor knows of it.

It's committed beside this file, as `routes.schema.json`; a test keeps it fresh, and
`python -m toolroute_codegen.schema` renews it.
"""

import json
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from toolroute_codegen.table import Written

COMMITTED: Final = Path(__file__).with_name("routes.schema.json")

MATCHERS: Final = ("names", "prefix", "glob", "split", "lookup")

NAME: Final = "^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"
"""The tool names that every provider sends."""

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"


def schema() -> dict[str, Any]:
    """The schema, as the model of the table has it, and what the model can't say."""
    made = cast("dict[str, Any]", _plain(Written.model_json_schema(by_alias=True)))
    definitions = made.pop("$defs")
    _one_of(definitions["Route"], MATCHERS)
    _one_of(definitions["Within"], ("prefix", "glob", "split"))
    definitions["Route"]["properties"]["names"]["items"]["pattern"] = NAME
    definitions["Route"]["dependentRequired"] = {"within": ["lookup"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "routes.yaml",
        **made,
        "$defs": dict(sorted(definitions.items())),
    }


def as_text() -> str:
    """The schema as it's committed."""
    return json.dumps(schema(), indent=2) + "\n"


def _one_of(definition: dict[str, Any], keys: tuple[str, ...]) -> None:
    definition["oneOf"] = [{"required": [key]} for key in keys]


def _plain(node: Json) -> Json:
    """`node` without titles, and without null: a key has a value or is left out."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    mapping = {key: _value(key, value) for key, value in node.items() if key != "title"}
    if mapping.get("default", "") is None:
        del mapping["default"]
    match mapping:
        case {"anyOf": [dict(choice), {"type": "null"}], **rest}:
            return {**choice, **rest}
        case _:
            return mapping


def _value(key: str, value: Json) -> Json:
    """What stands under `key`; under these two, keys are the table's."""
    if key in {"properties", "$defs"} and isinstance(value, dict):
        return {name: _plain(named) for name, named in value.items()}
    return _plain(value)


if __name__ == "__main__":
    COMMITTED.write_text(as_text(), encoding="utf-8")
