"""Values of a file made into the classes of `table`, and what doesn't fit them."""

from typing import Any, Final, TypeAlias, assert_never, final

from toolroute_codegen.language import (
    TEXT,
    Flag,
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
from toolroute_codegen.load import Content, Document
from toolroute_codegen.parse._meant import meant_in
from toolroute_codegen.parse._misfit import misfit
from toolroute_codegen.parse._where import named
from toolroute_codegen.rules.missing_key import missing_key
from toolroute_codegen.rules.unknown_key import unknown_key
from toolroute_codegen.table import Node, Path

_Way: TypeAlias = "tuple[_Way, str | int] | None"
"""A path from its end, so that going on costs little."""

_MISFIT: Final = object()
_TEXTS: Final = {str}


@final
class Shaping:
    """Makes what a document holds into what is wanted; `found` is what doesn't fit.

    Where something doesn't, what is made of it is not to be used.
    """

    def __init__(self, document: Document) -> None:
        self._places: Final = document.places
        self.found: Final = list(document.found)

    def of(self, value: Content, wanted: Wanted, way: _Way = None) -> Any:
        """What `value` is to the rest of the compiler."""
        made = self._made(value, wanted, way)
        if made is _MISFIT:
            self.found.append(misfit(value, wanted, _path(way), self._places))
        return made

    def _made(self, value: Content, wanted: Wanted, way: _Way) -> object:
        match wanted:
            case Text():
                fits = isinstance(value, str)
            case Flag():
                fits = isinstance(value, bool)
            case Word(words):
                fits = value in words
            case Number(number):
                fits = value == number and not isinstance(value, bool)
            case ListOf():
                return self._list(value, wanted, way)
            case NamesOf(each):
                return self._names(value, each, way)
            case Keys(model):
                return self._mapping(value, model, way)
            case _:
                assert_never(wanted)
        return value if fits else _MISFIT

    def _list(self, value: Content, wanted: ListOf, way: _Way) -> object:
        each = wanted.each
        if isinstance(value, tuple):
            if each is TEXT and set(map(type, value)) <= _TEXTS:
                return value
            return tuple([self.of(v, each, (way, at)) for at, v in enumerate(value)])
        return value if wanted.or_word and value == wanted.or_word else _MISFIT

    def _names(self, value: Content, each: Wanted, way: _Way) -> object:
        if not isinstance(value, dict):
            return _MISFIT
        return {name: self.of(v, each, (way, name)) for name, v in value.items()}

    def _mapping(self, value: Content, model: type[Node], way: _Way) -> object:
        if not isinstance(value, dict):
            return _MISFIT
        keys = keys_of(model)
        fields: dict[str, Any] = {}
        for key, inside in value.items():
            known = keys.get(key)
            if known is None:
                self._unknown(key, list(keys), _path(way))
            elif known.wanted is TEXT and inside.__class__ is str:
                fields[known.name] = inside
            else:
                fields[known.name] = self.of(inside, known.wanted, (way, key))
        missing = [key for key in required_of(model) if key not in value]
        meant = meant_in(value, model) if missing else frozenset[str]()
        for key in (each for each in missing if each not in meant):
            self._missing(key, keys[key].meaning, _path(way))
        return None if missing else model(**fields)

    def _missing(self, key: str, meaning: str, path: Path) -> None:
        place = self._places.of_key(path)
        self.found.append(missing_key(key, named(path), meaning, place))

    def _unknown(self, key: str, known: list[str], path: Path) -> None:
        place = self._places.of_key((*path, key))
        self.found.append(unknown_key(key, named(path), known, place))


def _path(way: _Way) -> Path:
    steps: list[str | int] = []
    while way is not None:
        way, step = way
        steps.append(step)
    return tuple(reversed(steps))
