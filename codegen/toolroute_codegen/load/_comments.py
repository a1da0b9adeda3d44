"""The comments of a file, which YAML's own reader drops."""

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.load._parser import parser_of

_START: Final = re.compile(r"(?:^|(?<=[ \t]))#")


def comments(source: str, containing: str) -> Iterator[tuple[Place, str]]:
    """The place and the text of each comment with these words in it, `#` and all.

    `source` is known to be YAML.
    """
    if containing not in source:
        return
    texts = _texts(source)
    for number, line in enumerate(source.split("\n"), 1):
        if containing not in line:
            continue
        start = next(
            (
                found.start()
                for found in _START.finditer(line)
                if not any(a <= (number, found.start()) < b for a, b in texts)
            ),
            None,
        )
        if start is not None and containing in line[start:]:
            text = line[start:].rstrip()
            yield Place(number, start + 1, len(text)), text


def _texts(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the quoted and the folded texts are, in which a `#` begins no comment."""
    parser = parser_of(source)
    try:
        return [
            (_begin(event), _at(event.end_mark))
            for event in iter(parser.get_event, None)
            if isinstance(event, yaml.ScalarEvent) and event.style
        ]
    finally:
        parser.dispose()


def _begin(event: Any) -> tuple[int, int]:
    """Behind the `|` or `>` of a folded text, a comment can stand."""
    line, column = _at(event.start_mark)
    return (line + 1, 0) if event.style in "|>" else (line, column)


def _at(mark: Any) -> tuple[int, int]:
    return mark.line + 1, mark.column
