"""The parts of a table, in words."""

from typing import Final

from pydantic import BaseModel

from toolroute_codegen.load import Content, Unquoted, said, tag_of
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import (
    Caller,
    Capability,
    Guard,
    Lookup,
    Path,
    RefusalText,
    RefuseEntry,
    Route,
    Unwrap,
    Within,
    Written,
)

_SECTIONS: Final[dict[str | int, tuple[str, type[BaseModel]]]] = {
    "callers": ("caller", Caller),
    "capabilities": ("capability", Capability),
    "lookups": ("lookup", Lookup),
    "guards": ("guard", Guard),
    "unwraps": ("unwrap", Unwrap),
    "refusals": ("refusal", RefusalText),
}


def named(path: Path) -> str:
    """What stands at `path`, as the subject of a sentence."""
    match path:
        case ():
            return "the table"
        case ("routes", int()):
            return "this route"
        case (section, str(name)) if section in _SECTIONS:
            return f"the {_SECTIONS[section][0]} {quoted(name)}"
        case (*_, str(key)):
            return f"`{key}`"
        case (*_, key, _):
            return f"this entry of `{key}`"
        case _:
            raise AssertionError(path)


def model_at(path: Path) -> type[BaseModel]:
    """The model of the mapping at `path`."""
    match path:
        case ():
            return Written
        case ("routes", int()):
            return Route
        case ("routes", int(), "within"):
            return Within
        case ("routes", int(), "refuse", int()):
            return RefuseEntry
        case (section, str()):
            return _SECTIONS[section][1]
        case _:
            raise AssertionError(path)


def keys_of(model: type[BaseModel]) -> list[str]:
    """The keys that a mapping of this model may have, as they're written."""
    return [field.alias or name for name, field in model.model_fields.items()]


def meaning_of(model: type[BaseModel], key: str) -> str:
    """What a key says, as the schema has it."""
    fields = dict(zip(keys_of(model), model.model_fields.values(), strict=True))
    return fields[key].description or ""


def seen(value: Content) -> str:
    """What a value is, in words."""
    match value:
        case str():
            return "text"
        case tuple():
            return "a list"
        case dict():
            return "a mapping"
        case Unquoted(text=""):
            return "empty"
        case _:
            return said(tag_of(value))
