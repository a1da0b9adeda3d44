"""The JSON Schema of routes.yaml: what an editor knows of it.

It's committed beside this file, as `routes.schema.json`; a test keeps it fresh, and
`python -m toolroute_codegen.schema` renews it.
"""

import inspect
import json
from pathlib import Path
from typing import Any, Final, assert_never

from toolroute_codegen.language import (
    TOP,
    Flag,
    Key,
    Keys,
    ListOf,
    NamesOf,
    Number,
    Text,
    Wanted,
    Word,
    keys_of,
    required_of,
)
from toolroute_codegen.table import Node

COMMITTED: Final = Path(__file__).with_name("routes.schema.json")

MATCHERS: Final = ("names", "prefix", "glob", "split", "lookup")

NAME: Final = "^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"
"""The tool names that every provider sends."""


def schema() -> dict[str, Any]:
    """The schema, as the classes of the table have it, and what they can't say."""
    definitions: dict[str, dict[str, Any]] = {}
    whole = _mapping(TOP.model, definitions)
    _one_of(definitions["Route"], MATCHERS)
    _one_of(definitions["Within"], ("prefix", "glob", "split"))
    definitions["Route"]["properties"]["names"]["items"]["pattern"] = NAME
    definitions["Route"]["dependentRequired"] = {"within": ["lookup"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "routes.yaml",
        **whole,
        "$defs": dict(sorted(definitions.items())),
    }


def as_text() -> str:
    """The schema as it's committed."""
    return json.dumps(schema(), indent=2) + "\n"


def _one_of(definition: dict[str, Any], keys: tuple[str, ...]) -> None:
    definition["oneOf"] = [{"required": [key]} for key in keys]


def _mapping(model: type[Node], definitions: dict[str, Any]) -> dict[str, Any]:
    """A mapping with keys of its own; those in it are put among `definitions`."""
    keys = keys_of(model).values()
    required = list(required_of(model))
    return {
        "type": "object",
        "description": inspect.getdoc(model),
        "properties": {key.key: _property(key, definitions) for key in keys},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _property(key: Key, definitions: dict[str, Any]) -> dict[str, Any]:
    """A key, and its default, if that can be written."""
    assumed: dict[str, Any] = {}
    if not key.required and key.default is not None:
        assumed["default"] = [] if key.default == () else key.default
    return {
        "description": key.meaning,
        **_wanted(key.wanted, definitions),
        **assumed,
    }


def _wanted(  # noqa: PLR0911 - an arm for each that there is
    wanted: Wanted, definitions: dict[str, Any]
) -> dict[str, Any]:
    match wanted:
        case Text():
            return {"type": "string"}
        case Flag():
            return {"type": "boolean"}
        case Number(number):
            return {"type": "integer", "const": number}
        case Word(words):
            return {"type": "string", "enum": list(words)}
        case ListOf(each, word):
            entries = {"type": "array", "items": _wanted(each, definitions)}
            return (
                entries
                if word is None
                else {"anyOf": [{"type": "string", "const": word}, entries]}
            )
        case NamesOf(each):
            inside = _wanted(each, definitions)
            return {"type": "object", "additionalProperties": inside}
        case Keys(model):
            if model.__name__ not in definitions:
                definitions[model.__name__] = _mapping(model, definitions)
            return {"$ref": f"#/$defs/{model.__name__}"}
        case _:
            assert_never(wanted)


if __name__ == "__main__":
    COMMITTED.write_text(as_text(), encoding="utf-8")
