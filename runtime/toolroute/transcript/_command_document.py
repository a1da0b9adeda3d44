"""A file that holds a transcript: its shape, and how it's written back as it was."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast, final

from toolroute.transcript._command_json import (
    Misread,
    after_space,
    elements,
    member,
    parse,
)

Shape: TypeAlias = Literal["array", "object", "lines"]

FIELDS: Final = ("messages", "input", "contents")
"""Where a request keeps its transcript."""

_SHAPES: Final = (
    "a transcript is a JSON array of messages, an object that holds one as `messages`, "
    "`input` or `contents`, or JSON Lines with one message a line"
)
_KEY: Final = re.compile(r'\{(\s*)"(?:[^"\\]|\\.)*"(\s*:\s*)')
_COMMA: Final = re.compile(r"\s*,\s*")
_LINE: Final = re.compile(r"[^\n]+")


@final
@dataclass(frozen=True, slots=True)
class Document:
    """`text` is the whole file without its BOM; `spans` say where each message stands.

    `array` is where the array starts and ends; of JSON Lines, the whole text.
    """

    text: str
    shape: Shape
    field: str | None
    messages: list[Any]
    spans: list[tuple[int, int]]
    array: tuple[int, int]
    held_by: str | None = None
    """What an object says of items that the server holds: `previous_response_id`."""

    def line(self, message: int) -> int:
        """The line that this message starts in, from 1."""
        return self.text.count("\n", 0, self.spans[message][0]) + 1

    def with_messages(self, messages: Sequence[Any]) -> str:
        """The text with these messages; those that were there stand as they stood."""
        if not self.spans:
            return self.text
        first, last = self.spans[0], self.spans[-1]
        style = _style(self)
        raw = list(_raw(self, messages, style))
        if self.shape == "lines":
            begins, ends = self.text[: first[0]], self.text[last[1] :]
            return begins + style.newline.join(raw) + ends
        start, end = self.array
        lead = self.text[start + 1 : first[0]]
        inner = self.text[first[1] : self.spans[1][0]] if self.spans[1:] else ""
        comma = inner or ("," + (lead or " " * style.spaced))
        tail = self.text[last[1] : end - 1]
        array = f"[{lead}{comma.join(raw)}{tail}]" if raw else "[]"
        return self.text[:start] + array + self.text[end:]


def read_document(text: str) -> Document:
    """The transcript in a text. Raises `Misread`."""
    start = after_space(text, 0)
    if start == len(text):
        raise Misread("there is nothing in it: " + _SHAPES, 0)
    if text[start] not in "[{":
        raise Misread(_unless_json(text, start), start)
    if text[start] == "[":
        _, end = parse(text, start)
        _nothing_behind(text, end)
        return _array(text, start, end)
    if _is_lines(text, start):
        return _lines(text)
    whole, end = parse(text, start)
    _nothing_behind(text, end)
    return _object(text, start, whole)


def _unless_json(text: str, start: int) -> str:
    value, _ = parse(text, start)
    match value:
        case None:
            kind = "null"
        case bool():
            kind = "true or false"
        case str():
            kind = "one text"
        case _:
            kind = "a number"
    return f"it is {kind}: {_SHAPES}"


def _nothing_behind(text: str, end: int) -> None:
    rest = after_space(text, end)
    if rest < len(text):
        raise Misread("something stands behind the end of the JSON", rest)


def _array(text: str, start: int, end: int) -> Document:
    found = elements(text, start)
    messages = [value for value, _, _ in found]
    spans = [(first, last) for _, first, last in found]
    return Document(text, "array", None, messages, spans, (start, end))


def _object(text: str, start: int, whole: dict[str, Any]) -> Document:
    fields = [field for field in FIELDS if isinstance(whole.get(field), list)]
    if not fields:
        raise Misread(_no_field(whole), start)
    if fields[1:]:
        both = " and ".join(f"`{field}`" for field in fields)
        raise Misread(f"it holds {both}, and only one can be the transcript", start)
    first, last = member(text, start, fields[0])
    found = elements(text, first)
    return Document(
        text,
        "object",
        fields[0],
        [value for value, _, _ in found],
        [(begins, ends) for _, begins, ends in found],
        (first, last),
        _held_by(whole),
    )


def _held_by(whole: dict[str, Any]) -> str | None:
    """`previous_response_id`, or the `conversation` that does the same."""
    conversation: Any = whole.get("conversation")
    if isinstance(conversation, dict):
        conversation = cast("dict[str, Any]", conversation).get("id")
    held = whole.get("previous_response_id") or conversation
    return held if isinstance(held, str) else None


def _no_field(whole: dict[str, Any]) -> str:
    for field in FIELDS:
        if field in whole:
            return f"its `{field}` isn't an array of messages: {_SHAPES}"
    return f"the object holds no `messages`, `input` or `contents`: {_SHAPES}"


def _is_lines(text: str, start: int) -> bool:
    """Whether a text that starts with `{` is JSON Lines: its first line says so."""
    line = _LINE.match(text, start)
    try:
        first, end = parse(line.group()) if line else (None, 0)
    except Misread:
        return False
    if line is None or after_space(line.group(), end) < len(line.group()):
        return False
    alone = after_space(text, line.end()) == len(text)
    return not alone or _is_message(first)


def _is_message(value: Any) -> bool:
    return not any(field in value for field in FIELDS) and any(
        key in value for key in ("role", "type", "kind")
    )


def _lines(text: str) -> Document:
    messages: list[Any] = []
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        if line.group().isspace():
            continue
        try:
            value, end = parse(line.group())
        except Misread as misread:
            at = line.start() + misread.at
            raise Misread(misread.sentence, at) from None
        _one_message(line, value, end)
        start = line.start() + after_space(line.group(), 0)
        messages.append(value)
        spans.append((start, line.start() + end))
    return Document(text, "lines", None, messages, spans, (0, len(text)))


def _one_message(line: re.Match[str], value: Any, end: int) -> None:
    rest = after_space(line.group(), end)
    if rest < len(line.group()):
        sentence = "something stands behind the end of the JSON"
        raise Misread(sentence, line.start() + rest)
    whole = isinstance(value, dict) and next((f for f in FIELDS if f in value), None)
    if whole and "role" not in value and "kind" not in value and "type" not in value:
        sentence = (
            f"this line holds a whole conversation, as `{whole}`: give each a file"
        )
        raise Misread(sentence, line.start())


@final
@dataclass(frozen=True, slots=True)
class _Style:
    """How the file writes an object: what a changed message is written like."""

    base: str
    indent: str | None
    comma: str
    colon: str
    newline: str
    ascii: bool
    spaced: bool

    def write(self, value: Any) -> str:
        separators = (self.comma, self.colon)
        made = json.dumps(
            value,
            indent=self.indent,
            separators=separators,
            ensure_ascii=self.ascii,
        )
        made = re.sub("[\ud800-\udfff]", _escaped, made)
        return made.replace("\n", self.newline + self.base) if self.indent else made


def _escaped(surrogate: re.Match[str]) -> str:
    return f"\\u{ord(surrogate.group()):04x}"


def _style(document: Document) -> _Style:
    text = document.text
    models = ((n, text[a:b]) for n, (a, b) in enumerate(document.spans))
    model = next(((n, raw) for n, raw in models if _KEY.match(raw)), (0, "{}"))
    found = _KEY.match(model[1])
    space, colon = found.groups() if found else ("", ": ")
    start = document.spans[model[0]][0] if document.spans else 0
    line = text[text.rfind("\n", 0, start) + 1 : start]
    base = line[: len(line) - len(line.lstrip())]
    comma = _comma(model[1], found.end()) if found else ", "
    indent = None
    if "\n" in space:
        indent = space.rpartition("\n")[2].removeprefix(base) or "  "
    return _Style(
        base=base,
        indent=indent,
        comma="," if indent else comma,
        colon=colon.strip("\r\n") or ":",
        newline="\r\n" if "\r\n" in text else "\n",
        ascii=text.isascii(),
        spaced=comma != ",",
    )


def _comma(raw: str, at: int) -> str:
    _, end = parse(raw, at)
    match = _COMMA.match(raw, end)
    return match.group() if match and "\n" not in match.group() else ", "


def _raw(document: Document, messages: Sequence[Any], style: _Style) -> Iterator[str]:
    known = {id(message): n for n, message in enumerate(document.messages)}
    following = 0
    for message in messages:
        at = known.get(id(message))
        if at is None and document.messages[following : following + 1] == [message]:
            at = following
        if at is None:
            yield style.write(message)
        else:
            following = at + 1
            start, end = document.spans[at]
            yield document.text[start:end]
