"""Findings as text for people, as JSON, as lines for GitHub, and as SARIF.

For people: the place, the line, carets, and what to do next. What programs get has the
same words; lines and columns count from 1, in characters.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.rules import NAMES, page_of

LONGEST_LINE: Final = 100
"""Columns of a source line that are shown; a longer one is cut with `…`."""

MOST_SHOWN: Final = 200
"""Findings that people are shown at once."""

_BEFORE: Final = 40
"""Characters that stay before the place, where a line is cut."""

_BOLD: Final = "1"
_RED: Final = "1;31"
_BLUE: Final = "34"


def report(
    diagnostics: Sequence[Diagnostic], source: str, filename: str, *, colour: bool
) -> str:
    """The findings in their order, a blank line between them and one line end at last.

    What doesn't print (control characters, bidi marks) is shown escaped. Of very many
    findings, it's the first: who mends them finds the rest.
    """
    page = _Page(source, filename, colour=colour)
    shown = [f"{page.of(each)}\n" for each in diagnostics[:MOST_SHOWN]]
    more = len(diagnostics) - len(shown)
    if more:
        shown.append(f"{more} more aren't shown: --output-format json has them all.\n")
    return "\n".join(shown)


def as_json(found: Sequence[Diagnostic], filename: str) -> list[dict[str, Any]]:
    """The findings in their order, each an object."""
    return [{"file": filename, **asdict(each)} for each in found]


def github(found: Sequence[Diagnostic], filename: str) -> str:
    """The findings as workflow commands, by which GitHub marks the lines of a change.

    A line for each of them and no line end at last.
    """
    return "\n".join(_command(each, filename) for each in found)


def sarif(found: Sequence[Diagnostic], filename: str) -> dict[str, Any]:
    """The findings as a log of SARIF 2.1.0, which code scanners take."""
    codes = sorted({each.code for each in found})
    driver = {"name": "toolroute", "rules": [_rule(code) for code in codes]}
    uri = _uri(filename)
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, uri, codes) for each in found],
            }
        ],
    }


def _command(found: Diagnostic, filename: str) -> str:
    place = found.place
    values = {
        "file": filename,
        "line": place.line,
        "col": place.column,
        "endColumn": place.column + place.width,
        "title": f"{found.code} {NAMES.get(found.code, '')}".rstrip(),
    }
    named = ",".join(f"{key}={_property(str(each))}" for key, each in values.items())
    return f"::error {named}::{_percent(_in_one(found))}"


def _in_one(found: Diagnostic) -> str:
    """A finding in one text: what is seen, what goes with it, what to do."""
    notes = (
        note.text if note.place is None else f"{note.text} line {note.place.line}."
        for note in found.notes
    )
    return _escaped(" ".join((f"{found.headline}.", *notes, found.next_step)))


def _percent(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    escaped = _percent(_escaped(text))
    return escaped.replace(":", "%3A").replace(",", "%2C")


def _rule(code: str) -> dict[str, Any]:
    if code not in NAMES:
        return {"id": code}
    page = page_of(NAMES[code])
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in NAMES[code].split("_")),
        "shortDescription": {"text": page.partition("\n")[0]},
        "help": {"text": page},
    }


def _result(found: Diagnostic, uri: str, codes: list[str]) -> dict[str, Any]:
    result = {
        "ruleId": found.code,
        "ruleIndex": codes.index(found.code),
        "level": "error",
        "message": {"text": _in_one(found)},
        "locations": [{"physicalLocation": _location(found.place, uri)}],
    }
    related = [
        {"physicalLocation": _location(n.place, uri), "message": {"text": n.text}}
        for n in found.notes
        if n.place is not None
    ]
    return {**result, "relatedLocations": related} if related else result


def _location(place: Place, uri: str) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": uri},
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endColumn": place.column + place.width,
        },
    }


def _uri(filename: str) -> str:
    """A reference to the file: relative as it is, absolute as a `file:` one."""
    path = Path(filename)
    if path.is_absolute():
        return path.as_uri()
    # A first part with a `:` would be read as a scheme, which quoting keeps it from.
    return quote(path.as_posix())


@final
class _Page:
    def __init__(self, source: str, filename: str, *, colour: bool) -> None:
        self._lines: Final = source.split("\n")
        self._filename: Final = _escaped(filename)
        self._colour: Final = colour

    def of(self, found: Diagnostic) -> str:
        """One finding, without a line end behind it."""
        return "\n".join(self._of(found))

    def _of(self, found: Diagnostic) -> Iterator[str]:
        place = found.place
        where = f"{self._filename}:{place.line}:{place.column}:"
        code = self._painted(found.code, _RED)
        yield f"{self._painted(where, _BOLD)} {code} {found.headline}"
        yield ""
        yield from self._excerpt(place)
        for note in found.notes:
            yield from self._noted(note, place)
        yield found.next_step

    def _noted(self, note: Note, before: Place) -> Iterator[str]:
        yield note.text
        if note.place is not None and note.place != before:
            yield ""
            yield from self._excerpt(note.place)

    def _excerpt(self, place: Place) -> Iterator[str]:
        number = str(place.line)
        line = self._lines[place.line - 1] if place.line <= len(self._lines) else ""
        text, indent, width = shown_line(line, place.column - 1, place.width)
        edge = self._painted(f"{' ' * len(number)} |", _BLUE)
        yield f"{self._painted(f'{number} |', _BLUE)} {text}".rstrip()
        yield f"{edge} {' ' * indent}{self._painted('^' * width, _RED)}"

    def _painted(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour else text


def shown_line(line: str, start: int, width: int) -> tuple[str, int, int]:
    """A line as it's shown, and the columns before the stretch and in it.

    The stretch begins at the character `start` and has `width` of them.
    """
    before = _fitting(reversed(line[max(0, start - LONGEST_LINE) : start]), _BEFORE)
    behind = line[start : start + LONGEST_LINE]
    if len(line) <= LONGEST_LINE and _columns(_escaped(line)) <= LONGEST_LINE:
        before = [_shown(each) for each in reversed(line[:start])]
    left = ("…" if len(before) < start else "") + "".join(reversed(before))
    room = LONGEST_LINE - _columns(left)
    shown = _fitting(behind, room)
    right = ""
    if len(shown) < len(line) - start:
        shown, right = _fitting(behind, room - 1), "…"
    carets = _columns("".join(shown[:width])) or 1
    return left + "".join(shown) + right, _columns(left), carets


def _fitting(characters: Iterable[str], columns: int) -> list[str]:
    """The first of them as they're shown, as many as fit."""
    shown: list[str] = []
    for character in characters:
        one = _shown(character)
        columns -= _columns(one)
        if columns < 0:
            break
        shown.append(one)
    return shown


def _escaped(text: str) -> str:
    return "".join(_shown(each) for each in text)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def _columns(text: str) -> int:
    """The columns that a terminal takes for `text`, which prints."""
    return sum(map(_width, text)) if not text.isascii() else len(text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
