"""What the models refuse, in our words and with places."""

import re
from collections.abc import Iterator
from typing import Any, Final, cast, final

from pydantic import ValidationError

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.load import Content, Document, Unquoted, said, tag_of
from toolroute_codegen.parse._where import keys_of, meaning_of, model_at, named, seen
from toolroute_codegen.rules.missing_key import missing_key
from toolroute_codegen.rules.unknown_key import unknown_key
from toolroute_codegen.rules.unknown_word import unknown_word
from toolroute_codegen.rules.unquoted_text import unquoted_text
from toolroute_codegen.rules.wrong_shape import wrong_shape
from toolroute_codegen.table import Path

_TO_DO: Final = {
    "text": "Write text, in quotes if need be.",
    "a list": "Write a list: `[one, other]`, or lines that begin with `- `.",
    "a mapping": "Write a mapping: `{key: value}`, or lines of `key: value`.",
    "`true` or `false`": "Write one of them, without quotes.",
    "`never` or a list of capabilities": "Write `never`, or a list: `[one, other]`.",
}
_SHAPES: Final = {
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
"""What pydantic wants with an error of this kind."""
_EMPTY: Final = "Write what is meant, or take the key out."


def misshapen(refused: ValidationError, document: Document) -> Iterator[Diagnostic]:
    """A finding for each of the errors."""
    words = _Words(document)
    told: set[Path] = set()
    for error in refused.errors(include_url=False):
        path = _path(error["loc"])
        if path not in told and not words.is_list_of_capabilities(path):
            told.add(path)
            yield words.of(error["type"], path, error)


def _path(loc: Path) -> Path:
    """A path through the file: pydantic's, without the branch of a union."""
    match loc:
        case ("routes", int(), "advertise", _, *rest):
            return (*loc[:3], *rest)
        case _:
            return loc


@final
class _Words:
    def __init__(self, document: Document) -> None:
        self._content: Final = document.content
        self._places: Final = document.places

    def is_list_of_capabilities(self, path: Path) -> bool:
        """Whether the error is that a list isn't `never`: another says which entry."""
        return path[-1:] == ("advertise",) and isinstance(self._at(path), tuple)

    def of(self, kind: str, path: Path, error: Any) -> Diagnostic:
        """The finding for an error of pydantic's `kind` at `path`."""
        if kind == "literal_error":
            return self._not_a_word(path, _options(error["ctx"]["expected"]))
        if kind in _SHAPES:
            return self._misshapen(path, _SHAPES[kind])
        return {
            "missing": self._missing,
            "extra_forbidden": self._unknown,
            "string_type": self._not_text,
            "bool_type": self._not_a_bool,
        }[kind](path)

    def _missing(self, path: Path) -> Diagnostic:
        *way, key = path
        owner = tuple(way)
        meaning = meaning_of(model_at(owner), str(key))
        return missing_key(str(key), named(owner), meaning, self._places.of_key(owner))

    def _unknown(self, path: Path) -> Diagnostic:
        *way, key = path
        owner = tuple(way)
        return unknown_key(
            str(key), named(owner), keys_of(model_at(owner)), self._places.of_key(path)
        )

    def _not_text(self, path: Path) -> Diagnostic:
        value = self._at(path)
        if isinstance(value, tuple | dict) or value == Unquoted("", "null"):
            return self._misshapen(path, "text")
        if isinstance(value, str):
            raise AssertionError("text is text to the model")  # noqa: TRY004
        written = self._places.written(path)
        place = self._places.of_value(path)
        return unquoted_text(written, said(tag_of(value)), place)

    def _not_a_word(self, path: Path, words: list[str]) -> Diagnostic:
        if path[-1:] == ("advertise",):
            return self._misshapen(path, "`never` or a list of capabilities")
        value = self._at(path)
        place = self._places.of_value(path)
        if path == ("version",) and not isinstance(value, int):
            return wrong_shape(
                "`version`", seen(value), "the number 1", "Write `version: 1`.", place
            )
        if isinstance(value, str | int) and not isinstance(value, bool):
            return unknown_word(named(path), str(value), words, place)
        return self._not_text(path)

    def _not_a_bool(self, path: Path) -> Diagnostic:
        value = self._at(path)
        if isinstance(value, Unquoted) and value.tag == "bool":
            return unknown_word(
                named(path), value.text, ("true", "false"), self._places.of_value(path)
            )
        return self._misshapen(path, "`true` or `false`")

    def _misshapen(self, path: Path, wanted: str) -> Diagnostic:
        value = self._at(path)
        empty = isinstance(value, Unquoted) and not value.text
        return wrong_shape(
            named(path),
            seen(value),
            wanted,
            _EMPTY if empty else _TO_DO[wanted],
            self._places.of_key(path) if empty else self._places.of_value(path),
        )

    def _at(self, path: Path) -> Content:
        value: Any = self._content
        for step in path:
            value = value[step]
        return cast("Content", value)


def _options(expected: str) -> list[str]:
    return re.findall(r"'([^']*)'", expected) or [expected]
