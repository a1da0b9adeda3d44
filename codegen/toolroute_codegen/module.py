"""What the plan hands to the renderer: Python source, decided down to each line.

Every `str` here is source that stands in the module as it is, at its own indent;
nothing that the table's author wrote gets here except as an identifier, checked, or as
a literal.
"""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function or method: its signature, and the statements of its body."""

    signature: str
    body: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class KindClass:
    """The class that a kind's handler gets; `about` and `init` are one, or none."""

    heading: str
    about: tuple[str, ...]
    slots: str
    constants: tuple[str, ...]
    init: tuple[Function, ...]
    properties: tuple[Function, ...]


@final
@dataclass(frozen=True, slots=True)
class Dispatch:
    """What runs a route: signatures, and the arms of the match."""

    variables: tuple[str, ...]
    handlers: str
    methods: tuple[str, ...]
    signature: str
    arms: tuple[str, ...]
    bind: str


@final
@dataclass(frozen=True, slots=True)
class Module:
    """One generated module, in the order of the file."""

    header: tuple[str, str]
    typing: str
    imports: tuple[str, ...]
    type_imports: tuple[str, ...]
    exports: tuple[str, ...]
    fingerprint: str
    callers: str
    properties: tuple[Function, ...]
    methods: tuple[Function, ...]
    refusals: tuple[Function, ...]
    words: str
    kinds: tuple[KindClass, ...]
    unions: tuple[str, ...]
    order: str
    constants: tuple[tuple[str, ...], ...]
    steps: tuple[Function, ...]
    routes: str
    roads: str
    decide: tuple[str, ...]
    surface: tuple[str, ...]
    dispatch: Dispatch
    guards: str
