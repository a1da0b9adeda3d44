"""A value that isn't what its key takes, in words."""

from typing import Final, assert_never

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.language import (
    Flag,
    Keys,
    ListOf,
    NamesOf,
    Number,
    Text,
    Wanted,
    Word,
)
from toolroute_codegen.load import Content, Places, Unquoted, said, tag_of
from toolroute_codegen.parse._where import named, seen
from toolroute_codegen.rules.unknown_word import unknown_word
from toolroute_codegen.rules.unquoted_text import unquoted_text
from toolroute_codegen.rules.wrong_shape import wrong_shape
from toolroute_codegen.table import Path

_LIST: Final = "Write a list: `[one, other]`, or lines that begin with `- `."
_MAPPING: Final = "Write a mapping: `{key: value}`, or lines of `key: value`."
_EMPTY: Final = "Write what is meant, or take the key out."


def misfit(value: Content, wanted: Wanted, path: Path, places: Places) -> Diagnostic:
    """The finding for `value`, which stands at `path` and isn't what is `wanted`."""
    words = _words_for(value, wanted)
    if words:
        written = places.written(path)
        return unknown_word(named(path), written, words, places.of_value(path))
    takes_text = isinstance(wanted, Text | Word)
    if (
        takes_text
        and not isinstance(value, str | tuple | dict)
        and not _is_nothing(value)
    ):
        written = places.written(path)
        return unquoted_text(written, said(tag_of(value)), places.of_value(path))
    what, next_step = _said(wanted)
    if _is_nothing(value):
        place, next_step = places.of_key(path), _EMPTY
    else:
        place = places.of_value(path)
    return wrong_shape(named(path), seen(value), what, next_step, place)


def _words_for(value: Content, wanted: Wanted) -> tuple[str, ...]:
    """The words that can stand here, if `value` has their shape and is another."""
    match wanted:
        case Word(words) if isinstance(value, str):
            return words
        case Flag() if isinstance(value, Unquoted) and value.tag == "bool":
            return ("true", "false")
        case Number(number) if isinstance(value, int) and not isinstance(value, bool):
            return (str(number),)
        case _:
            return ()


def _said(wanted: Wanted) -> tuple[str, str]:
    """What is wanted, in a sentence, and what to do about it."""
    match wanted:
        case Text() | Word():
            return "text", "Write text, in quotes if need be."
        case Flag():
            return "`true` or `false`", "Write one of them, without quotes."
        case Number(number):
            return f"the number {number}", f"Write `{number}`."
        case ListOf(or_word=None):
            return "a list", _LIST
        case ListOf(or_word=word):
            return f"`{word}` or a list", f"Write `{word}`, or a list: `[one, other]`."
        case NamesOf() | Keys():
            return "a mapping", _MAPPING
        case _:
            assert_never(wanted)


def _is_nothing(value: Content) -> bool:
    return isinstance(value, Unquoted) and not value.text
