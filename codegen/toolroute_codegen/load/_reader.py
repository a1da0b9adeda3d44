"""The first pass over a file: its values, and what breaks the strict YAML of a table.

It takes the parser's events one by one, so that it is never deeper than it allows, and
an alias is seen where it's used.
"""

import re
from typing import Any, Final, TypeAlias, final

import yaml

from toolroute_codegen.diagnostics import Diagnostic, Place
from toolroute_codegen.load._document import Content, Unquoted
from toolroute_codegen.load._parser import parser_of
from toolroute_codegen.load._scalars import as_read, said, tag_of
from toolroute_codegen.rules.deep_nesting import DEEPEST, deep_nesting
from toolroute_codegen.rules.duplicate_key import duplicate_key
from toolroute_codegen.rules.empty_file import empty_file
from toolroute_codegen.rules.merge_key import merge_key
from toolroute_codegen.rules.multiplying_alias import (
    MOST,
    endless_alias,
    nested_alias,
    too_much,
)
from toolroute_codegen.rules.not_yaml import (
    not_yaml,
    second_anchor,
    unknown_anchor,
    unreadable_escape,
)
from toolroute_codegen.rules.second_document import second_document
from toolroute_codegen.rules.unquoted_key import unquoted_key
from toolroute_codegen.rules.yaml_tag import yaml_tag

_Into: TypeAlias = "list[Content] | dict[str, Content]"

_LONE: Final = re.compile("[\ud800-\udfff]")

_START: Final = yaml.Mark("", 0, 0, 0, None, 0)


@final
class Fatal(Exception):  # noqa: N818 - a finding, after which nothing can be read
    """Nothing behind this can be read, or trusted."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.headline)
        self.finding: Final = finding


@final
class _Frame:
    """A list or mapping that isn't closed yet, and the key whose value comes next.

    `skips`: the key isn't one, or is there already, so its value is read and dropped.
    """

    __slots__ = ("holds_alias", "into", "key", "keys", "skips", "start")

    def __init__(self, into: _Into, start: Any) -> None:
        self.into: Final = into
        self.start: Final = start
        self.key: str | None = None
        self.keys: Final[dict[str, Any]] = {}
        self.skips = False
        self.holds_alias = False


@final
class Reader:
    """Reads one file once; `found` grows as it goes."""

    def __init__(self, source: str) -> None:
        self._source: Final = source
        self._frames: Final[list[_Frame]] = []
        self._anchors: Final[dict[str, Content | None]] = {}
        self._manifold: Final[set[str]] = set()
        self._put_in = 0
        self._plain: Final[dict[str, str | bool | int | Unquoted]] = {}
        self._root: Content | None = None
        self._documents = 0
        self.found: Final[list[Diagnostic]] = []

    def read(self) -> Content:
        """The value of the whole file; raises `Fatal`."""
        parser = parser_of(self._source)
        try:
            self._all(parser)
        except yaml.MarkedYAMLError as stopped:
            raise Fatal(self._not_yaml(stopped)) from None
        except (ValueError, OverflowError):
            # PyYAML's own scanner, of an escape that is no character.
            raise Fatal(unreadable_escape(_at(parser.get_mark()))) from None
        finally:
            parser.dispose()
        if self._root in (None, Unquoted("", "null")):
            raise Fatal(empty_file())
        return self._root

    def _all(self, parser: Any) -> None:
        next_event = parser.get_event
        while True:
            event = next_event()
            kind = event.__class__
            if kind is yaml.ScalarEvent:
                self._put(self._scalar(event), event)
            elif kind is yaml.MappingStartEvent:
                self._open({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._open([], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
            elif kind is yaml.AliasEvent:
                self._put(self._stood_for(event), event)
            elif kind is yaml.DocumentStartEvent:
                self._document(event)
            elif kind is yaml.StreamEndEvent:
                return

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise Fatal(second_document(_place(event)))

    def _scalar(self, event: Any) -> Content:
        written: str = event.value
        value: str | bool | int | Unquoted = written
        if event.tag is not None:
            self.found.append(yaml_tag(event.tag, _at(event.start_mark)))
        elif event.implicit[0]:
            read = self._plain.get(written)
            if read is None:
                read = self._plain[written] = as_read(written)
            value = read
        elif not written.isascii() and _LONE.search(written):
            raise Fatal(unreadable_escape(_place(event)))
        if event.anchor is not None:
            self._anchor(event)
            self._anchors[event.anchor] = value
        return value

    def _open(self, into: _Into, event: Any) -> None:
        if len(self._frames) == DEEPEST:
            raise Fatal(deep_nesting(_at(event.start_mark)))
        if event.tag is not None:
            self.found.append(yaml_tag(event.tag, _at(event.start_mark)))
        if event.anchor is not None:
            self._anchor(event)
        self._frames.append(_Frame(into, event))

    def _close(self) -> None:
        frame = self._frames.pop()
        into = frame.into
        value: Content = tuple(into) if isinstance(into, list) else into
        name = frame.start.anchor
        if name is not None:
            self._anchors[name] = value
            if frame.holds_alias:
                self._manifold.add(name)
        self._put(value, frame.start)

    def _put(self, value: Content, event: Any) -> None:
        """`value` has its place in what is open: as an element, a key or a value."""
        if not self._frames:
            self._root = value
            return
        frame = self._frames[-1]
        into = frame.into
        if isinstance(into, list):
            into.append(value)
        elif frame.skips:
            frame.skips = False
        elif frame.key is None:
            self._key(frame, value, event)
        else:
            into[frame.key] = value
            frame.key = None

    def _key(self, frame: _Frame, value: Content, event: Any) -> None:
        if isinstance(value, str) and value not in frame.keys:
            frame.keys[value] = event
            frame.key = value
            return
        frame.skips = True
        self.found.append(_not_a_key(value, event, frame.keys))

    def _anchor(self, event: Any) -> None:
        """An anchor is set; until its node is complete, it stands for nothing."""
        if event.anchor in self._anchors:
            raise Fatal(second_anchor(event.anchor, _at(event.start_mark)))
        self._anchors[event.anchor] = None

    def _stood_for(self, event: Any) -> Content:
        """What an alias stands for."""
        name, place = event.anchor, _place(event)
        if name not in self._anchors:
            raise Fatal(unknown_anchor(name, place))
        value = self._anchors[name]
        if value is None:
            raise Fatal(endless_alias(name, place))
        if name in self._manifold:
            raise Fatal(nested_alias(name, place))
        self._put_in += _size(value)
        if self._put_in > MOST:
            raise Fatal(too_much(place))
        for frame in self._frames:
            frame.holds_alias = True
        return value

    def _not_yaml(self, stopped: yaml.MarkedYAMLError) -> Diagnostic:
        lines = self._source.split("\n")
        mark = stopped.problem_mark or stopped.context_mark or _START
        opened = stopped.context_mark
        here, *rest = lines[mark.line :] or [""]
        place = _at(mark) if mark.line < len(lines) else _end_of(lines)
        if "nesting depth" in (stopped.problem or ""):
            return deep_nesting(place)
        tab = here[mark.column : mark.column + 1] == "\t"
        return not_yaml(
            "tab character" if tab else stopped.problem or "",
            place,
            _at(opened) if opened and opened.line < len(lines) else None,
            at_end=not "".join([here[mark.column :], *rest]).strip(),
        )


def _end_of(lines: list[str]) -> Place:
    """Behind the last character, where LibYAML counts a further line."""
    return Place(len(lines), len(lines[-1]) + 1)


def _not_a_key(value: Content, event: Any, keys: dict[str, Any]) -> Diagnostic:
    place = _place(event)
    match value:
        case str():
            return duplicate_key(value, place, _place(keys[value]))
        case Unquoted(tag="merge"):
            return merge_key(place)
        case tuple():
            return unquoted_key("[…]", "a list", place)
        case dict():
            return unquoted_key("{…}", "a mapping", place)
        case _:
            return unquoted_key(event.value, said(tag_of(value)), place)


def _size(value: Content) -> int:
    """How many values there are in `value`, itself among them."""
    match value:
        case tuple():
            return 1 + sum(map(_size, value))
        case dict():
            return 1 + sum(map(_size, value.values()))
        case _:
            return 1


def _at(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1)


def _place(event: Any) -> Place:
    """Where an event stands: as far as its first line goes."""
    start, end = event.start_mark, event.end_mark
    width = end.column - start.column if end.line == start.line else 1
    return Place(start.line + 1, start.column + 1, max(width, 1))
