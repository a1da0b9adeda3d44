"""A table is a YAML file, and from this place on this one isn't.

What it finds: the first place where the file stops being YAML. Nothing behind it can be
read, so nothing behind it is judged.

Why it matters: half a table would be a table with other routes than the file says.

For example:

    routes:
      - kind: remote
        glob: *

A `*` begins the use of an anchor, so text that begins with one is quoted:

    routes:
      - kind: remote
        glob: "*"
"""

import re
from typing import Final, NamedTuple, final

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.rules._words import quoted

CODE: Final = "TR001"


@final
class Words(NamedTuple):
    """How it's said."""

    headline: str
    next_step: str


_WORDS: Final[dict[str, Words]] = {
    "mapping values are not allowed": Words(
        "a `:` stands where no value can follow",
        "Quote the text if the `:` belongs to it; else end the line above it, "
        "or give this line the indentation of its neighbours.",
    ),
    r"expected ',' or '\]'": Words(
        "the list isn't closed before this",
        "Write `,` between its entries and `]` behind the last.",
    ),
    r"expected ',' or '\}'": Words(
        "the `{` isn't closed before this",
        "Write `,` between its entries and `}` behind the last.",
    ),
    "unexpected end of stream": Words(
        "this quote is never closed",
        "Write the same quote behind the text.",
    ),
    "tab character": Words(
        "a tab stands here",
        "Indent with spaces, which is all that YAML takes.",
    ),
    "cannot start any token": Words(
        "text can't begin like this",
        "Quote the text: some marks mean something else at the start of a value.",
    ),
    "could not find expected ':'": Words(
        "the line before this is neither a key nor a part of what stands above it",
        "Write `:` behind the key, or indent the line as a part of the text above.",
    ),
    "sequence entries are not allowed": Words(
        "a list can't begin here",
        "Begin the list on a line of its own, or quote the `-` if it is text.",
    ),
    "expected (<block end>|key|'-' indicator)": Words(
        "this doesn't belong to what stands above it",
        "Give the line the indentation of its neighbours. If it goes on behind "
        "a quoted text, put all of it into the quotes.",
    ),
    "escape|hexdecimal": Words(
        "there is no such escape in a text with double quotes",
        "Write a backslash as two, or put the text into single quotes.",
    ),
    "comment or line break|indentation indicator": Words(
        "a text behind `|` or `>` begins on a line of its own",
        "Move it there and indent it; or quote it, if the mark belongs to it.",
    ),
    "(alphabetic or numeric character)": Words(
        "`*` and `&` begin an anchor's name, and none follows",
        "Quote the text that begins with it.",
    ),
    "node content": Words(
        "a value is missing here",
        "Write the value, or take the mark out.",
    ),
    "expected '?<document start>": Words(
        "something follows after the end of the file's one document",
        "Take out the line `...`, or what follows it.",
    ),
    "incompatible YAML|directive": Words(
        "this line is for another YAML than the one that is read here",
        "Take the line out: a table needs no line that begins with `%`.",
    ),
    "unexpected ':'": Words(
        "there is no space behind this `:`",
        "Write one if the key ends here; quote the text if the `:` belongs to it.",
    ),
    "tag|expected '!'|whitespace or line break": Words(
        "a text that begins with `!` is a tag, and there is none like this",
        "Quote the text.",
    ),
}
"""By a pattern for what PyYAML or LibYAML says, the first that is found there."""

_UNKNOWN: Final = Words(
    "from here on this isn't YAML",
    "Mend this line, or the one before it.",
)


def not_yaml(
    problem: str, place: Place, opened: Place | None, *, at_end: bool
) -> Diagnostic:
    """What the YAML parser stumbled over, in our words.

    `opened` is where the thing began that the parser was in; where the file just ends,
    that is the place to look at.
    """
    headline, next_step = _words(problem)
    if opened is None or opened == place:
        return Diagnostic(place, CODE, headline, next_step)
    if at_end:
        headline = headline.replace("before this", "before the file ends")
        return Diagnostic(opened, CODE, headline, next_step)
    notes = (Note("It began here:", opened),) if "closed" in headline else ()
    return Diagnostic(place, CODE, headline, next_step, notes)


def unknown_anchor(name: str, place: Place) -> Diagnostic:
    """The use of an anchor that no node above has."""
    return Diagnostic(
        place,
        CODE,
        f"there is no anchor {quoted(name)} above this",
        "Quote the text if it begins with `*`; else write what is meant.",
    )


def second_anchor(name: str, place: Place) -> Diagnostic:
    """An anchor whose name is taken."""
    return Diagnostic(
        place,
        CODE,
        f"the anchor {quoted(name)} is there twice",
        "Quote the text if it begins with `&`; else take one of them out.",
    )


def unreadable_escape(place: Place) -> Diagnostic:
    """An escape for something that isn't a character."""
    headline, next_step = _words("escape")
    return Diagnostic(place, CODE, headline, next_step)


def _words(problem: str) -> Words:
    for pattern, words in _WORDS.items():
        if re.search(pattern, problem):
            return words
    return _UNKNOWN
