"""The parts of a table, in words."""

from typing import Final

from toolroute_codegen.load import Content, Unquoted, said, tag_of
from toolroute_codegen.rules._words import quoted
from toolroute_codegen.table import Path

_ONE: Final[dict[str | int, str]] = {
    "callers": "caller",
    "capabilities": "capability",
    "lookups": "lookup",
    "guards": "guard",
    "unwraps": "unwrap",
    "refusals": "refusal",
}


def named(path: Path) -> str:
    """What stands at `path`, as the subject of a sentence."""
    match path:
        case ():
            return "the table"
        case ("routes", int()):
            return "this route"
        case (section, str(name)) if section in _ONE:
            return f"the {_ONE[section]} {quoted(name)}"
        case (*_, str(key)):
            return f"`{key}`"
        case (*_, key, _):
            return f"this entry of `{key}`"
        case _:
            raise AssertionError(path)


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
