"""Findings as text for people: the place, the line, carets, and what to do next."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place

LONGEST_LINE: Final = 100
"""Columns of a source line that are shown; a longer one is cut with `…`."""

_BEFORE: Final = 40
"""Characters that stay before the place, where a line is cut."""

_BOLD: Final = "1"
_RED: Final = "1;31"
_BLUE: Final = "34"


def report(
    diagnostics: Sequence[Diagnostic], source: str, filename: str, *, colour: bool
) -> str:
    """The findings in their order, a blank line between them and one line end at last.

    What doesn't print (control characters, bidi marks) is shown escaped.
    """
    page = _Page(source, filename, colour=colour)
    return "\n".join(f"{page.of(each)}\n" for each in diagnostics)


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
