"""What each key of the language takes, read off the classes of `table`.

Whoever wants to know of the keys asks here: what reads a file, and the JSON Schema.
"""

import builtins
import typing
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from types import NoneType
from typing import Any, Final, TypeAlias, cast, final, get_args, get_origin

from toolroute_codegen.table import Node, Written, key_of


@final
@dataclass(frozen=True, slots=True)
class Text:
    """Text."""


@final
@dataclass(frozen=True, slots=True)
class Flag:
    """`true` or `false`."""


@final
@dataclass(frozen=True, slots=True)
class Number:
    """This number."""

    number: int


@final
@dataclass(frozen=True, slots=True)
class Word:
    """One of these words."""

    words: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; `or_word` may stand in its place."""

    each: "Wanted"
    or_word: str | None = None


@final
@dataclass(frozen=True, slots=True)
class NamesOf:
    """A mapping whose keys are names."""

    each: "Wanted"


@final
@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping with the keys of this class."""

    model: type[Node]


Wanted: TypeAlias = Text | Flag | Number | Word | ListOf | NamesOf | Keys


@final
@dataclass(frozen=True, slots=True)
class Key:
    """A key: `name` is its field in the class; without it, `default` is assumed.

    `required`: it has to be there. Where it's optional and the default is None, that
    can't be written.
    """

    key: str
    name: str
    wanted: Wanted
    meaning: str
    required: bool
    default: object


TEXT: Final = Text()

TOP: Final = Keys(Written)
"""What the file holds."""


def keys_of(model: type[Node]) -> dict[str, Key]:
    """The keys of a mapping, in their order."""
    if model not in _KEYS:
        _KEYS[model] = {key_of(each.name): _key(each) for each in fields(model)}
    return _KEYS[model]


def required_of(model: type[Node]) -> tuple[str, ...]:
    """The keys that have to be in a mapping."""
    if model not in _REQUIRED:
        required = (key.key for key in keys_of(model).values() if key.required)
        _REQUIRED[model] = tuple(required)
    return _REQUIRED[model]


_REQUIRED: Final[dict[type[Node], tuple[str, ...]]] = {}

_KEYS: Final[dict[type[Node], dict[str, Key]]] = {}


def _key(of: Field[Any]) -> Key:
    hint, meaning = get_args(of.type)
    default = of.default_factory() if of.default_factory is not MISSING else of.default
    return Key(
        key=key_of(of.name),
        name=of.name,
        wanted=_wanted(hint),
        meaning=meaning,
        required=default is MISSING,
        default=default,
    )


_PLAIN: Final[dict[Any, Wanted]] = {str: TEXT, bool: Flag()}


def _wanted(hint: Any) -> Wanted:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_dataclass(hint):
        return Keys(cast("type[Node]", hint))
    arguments = get_args(hint)
    match get_origin(hint):
        case typing.Literal:
            return Number(1) if arguments == (1,) else Word(arguments)
        case builtins.dict:
            return NamesOf(_wanted(arguments[1]))
        case builtins.tuple:
            return ListOf(_wanted(arguments[0]))
        case _:
            return _one_of(arguments)


def _one_of(hints: tuple[Any, ...]) -> Wanted:
    """`X | None`: X, or no key. A word `| tuple[X, ...]`: a list, or the word."""
    match [hint for hint in hints if hint is not NoneType]:
        case [hint]:
            return _wanted(hint)
        case [word, hint]:
            return ListOf(_wanted(get_args(hint)[0]), or_word=get_args(word)[0])
        case _:
            raise AssertionError(hints)
