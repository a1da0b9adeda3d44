"""What YAML 1.1 reads plain scalars as."""

import re
from typing import Final

import yaml

from toolroute_codegen.load._document import Unquoted

_IMPLICIT: Final = yaml.SafeLoader.yaml_implicit_resolvers
"""By a scalar's first character: the tags it may get, each with its pattern."""

_BOOLEANS: Final = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
"""Those that YAML 1.1 and 1.2 agree on."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")

_SAID: Final = {
    "bool": "true or false",
    "float": "a number",
    "int": "a number",
    "merge": "a merge",
    "null": "nothing",
    "timestamp": "a date",
    "value": "a default value",
}


def as_read(written: str) -> str | bool | int | Unquoted:
    """What a plain scalar is: text, unless YAML 1.1 says otherwise."""
    for tag, pattern in _IMPLICIT.get(written[:1], ()):
        if pattern.match(written):
            return _read_as(tag.rpartition(":")[2], written)
    return written


def said(tag: str) -> str:
    """What something with this tag is, in a sentence."""
    return _SAID[tag]


def tag_of(value: int | Unquoted) -> str:
    """The tag of what isn't text."""
    if isinstance(value, Unquoted):
        return value.tag
    return "bool" if isinstance(value, bool) else "int"


def _read_as(tag: str, written: str) -> bool | int | Unquoted:
    if written in _BOOLEANS:
        return _BOOLEANS[written]
    if tag == "int" and _NUMBER.fullmatch(written):
        return int(written)
    return Unquoted(written, tag)
