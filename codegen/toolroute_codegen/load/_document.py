from dataclasses import dataclass
from typing import TypeAlias, final

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.load._places import Places


@final
@dataclass(frozen=True, slots=True)
class Unquoted:
    """A plain scalar that YAML doesn't read as text: `no`, `12:30`, nothing at all.

    `tag` says what it's read as: `bool`, `int`, `float`, `null`, `timestamp`, `merge`
    or `value`.
    """

    text: str
    tag: str


Content: TypeAlias = (
    "str | bool | int | Unquoted | tuple[Content, ...] | dict[str, Content]"
)
"""What a node holds. Of plain scalars, `true`, `false` and short numbers are read."""


@final
@dataclass(frozen=True, slots=True)
class Document:
    r"""A file that is YAML: what it holds, and where each node of it stands.

    `source` is the text without a byte-order mark and with its lines ended by `\n`.
    `found` are the findings that leave the rest of the file readable.
    """

    filename: str
    source: str
    content: Content
    found: tuple[Diagnostic, ...]
    places: Places
