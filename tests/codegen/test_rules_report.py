"""Findings as text: what is shown of the line, and where the carets stand."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.report import LONGEST_LINE, MOST_SHOWN, report, shown_line

FOUND = Diagnostic(
    Place(2, 4, 5),
    "TR204",
    "there is no caller named `agnet`",
    "Did you mean `agent`?",
    (Note("Declared here:", Place(1, 1, 3)), Note("So it is.")),
)
SOURCE = "abc\n  [agnet]\n"


def columns(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(bool(unicodedata.combining(each)) for each in text)


def test_a_finding_is_its_place_its_line_its_notes_and_what_to_do() -> None:
    assert report([FOUND, FOUND], SOURCE, "routes.yaml", colour=False) == (
        "routes.yaml:2:4: TR204 there is no caller named `agnet`\n"
        "\n"
        "2 |   [agnet]\n"
        "  |    ^^^^^\n"
        "Declared here:\n"
        "\n"
        "1 | abc\n"
        "  | ^^^\n"
        "So it is.\n"
        "Did you mean `agent`?\n"
        "\n"
    ) + report([FOUND], SOURCE, "routes.yaml", colour=False)


def test_without_findings_there_is_nothing_to_say() -> None:
    assert report([], SOURCE, "routes.yaml", colour=False) == ""


def test_colour_changes_nothing_but_the_colour() -> None:
    plain = report([FOUND], SOURCE, "routes.yaml", colour=False)
    painted = report([FOUND], SOURCE, "routes.yaml", colour=True)
    for style in ("1", "1;31", "34", "0"):
        assert f"\x1b[{style}m" in painted
        painted = painted.replace(f"\x1b[{style}m", "")
    assert painted == plain


def test_what_does_not_print_is_shown_escaped() -> None:
    source = "a: \x1b[31m\u202ex\n"
    found = Diagnostic(Place(1, 10, 1), "TR002", "here", "Mend it.")
    assert report([found], source, "r\x07.yaml", colour=False) == (
        "r\\x07.yaml:1:10: TR002 here\n"
        "\n"
        "1 | a: \\x1b[31m\\u202ex\n"
        "  |                  ^\n"
        "Mend it.\n"
    )


def test_carets_stand_under_wide_characters() -> None:
    assert shown_line("名前: [日本, x]", 5, 2) == ("名前: [日本, x]", 7, 4)


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "a" * 500 + "here" + "b" * 500
    text, indent, width = shown_line(line, 500, 4)
    assert text == "…" + "a" * 40 + "here" + "b" * 54 + "…"
    assert (indent, width, len(text)) == (41, 4, LONGEST_LINE)


def test_a_place_behind_the_end_has_a_caret() -> None:
    assert shown_line("abc", 3, 1) == ("abc", 3, 1)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300), st.integers(0, 300), st.integers(1, 300))
def test_carets_are_under_what_is_shown_and_a_line_is_short(
    line: str, start: int, width: int
) -> None:
    start = min(start, len(line))
    text, indent, carets = shown_line(line.replace("\n", " "), start, width)
    assert text.isprintable()
    assert columns(text) <= LONGEST_LINE
    assert 0 <= indent <= columns(text)
    assert 1 <= carets <= max(columns(text) - indent, 1)


def test_of_very_many_findings_the_first_are_shown_and_the_others_counted() -> None:
    many = [FOUND] * (MOST_SHOWN + 3)
    told = report(many, SOURCE, "routes.yaml", colour=False)
    first = report(many[:MOST_SHOWN], SOURCE, "routes.yaml", colour=False)
    assert told == (
        f"{first}\n3 more aren't shown: --output-format json has them all.\n"
    )
