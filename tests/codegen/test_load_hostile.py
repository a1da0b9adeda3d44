"""Whatever a file holds, it gets findings with places, and never a traceback."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judging import BASE, completed, judged

from toolroute_codegen.diagnostics import Diagnostic
from toolroute_codegen.load import _parser
from toolroute_codegen.report import report

PARSERS = [pytest.param(yaml.SafeLoader, id="python")]
if hasattr(yaml, "CSafeLoader"):
    PARSERS.append(pytest.param(yaml.CSafeLoader, id="libyaml"))

ROOT = (Path(__file__).parents[2] / "routes.yaml").read_text(encoding="utf-8")
WHOLE = "".join(BASE.values())

BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)
)
WIDE = "a: &a [" + "x," * 5_000 + "]\nb: [" + "*a," * 50 + "]\n"

HOSTILE = {
    "nothing": ("", ["TR006"]),
    "blank": (" \n\n\t\n", ["TR001"]),
    "a marker": ("---\n", ["TR006"]),
    "a list": ("- a\n- b\n", ["TR103"]),
    "a word": ("routes\n", ["TR103"]),
    "a number": ("12\n", ["TR103"]),
    "null": ("~\n", ["TR103"]),
    "NUL": (WHOLE + "# \0\n", ["TR002"]),
    "all NUL": ("\0" * 100_000, ["TR002"]),
    "lone carriage return": (WHOLE.replace("\n", "\r"), ["TR002"]),
    "next line": (WHOLE + "# \x85\n", ["TR002"]),
    "byte-order mark inside": (WHOLE + "# \ufeff\n", ["TR002"]),
    "lone surrogate": (WHOLE + "# \ud800\n", ["TR002"]),
    "no character": (WHOLE + "# \uffff\n", ["TR002"]),
    "escaped surrogate": ('a: "\\ud800"\n', ["TR001"]),
    "escaped surrogates": ('a: "\\ud83d\\ude00"\n', ["TR001"]),
    "escape beyond Unicode": ('a: "\\UFFFFFFFF"\n', ["TR001"]),
    "escape just beyond": ('a: "\\U00110000"\n', ["TR001"]),
    "brackets": ("[" * 200_000, ["TR003"]),
    "braces": ("{a: " * 100_000, ["TR003"]),
    "dashes": ("- " * 100_000 + "a\n", ["TR003"]),
    "questions": ("? " * 100_000 + "a\n", ["TR003"]),
    "indentation": ("".join(" " * n + "a:\n" for n in range(500)), ["TR003"]),
    "deep behind a table": (WHOLE + "x: " + "[" * 50_000, ["TR003"]),
    "bomb": (BOMB, ["TR004"]),
    "wide": (WIDE, ["TR004"]),
    "itself": ("a: &a [*a]\n", ["TR004"]),
    "itself as a key": ("&a {*a : b}\n", ["TR004"]),
    "unknown alias": ("a: *b\n", ["TR001"]),
    "anchor twice": ("a: &x b\nc: &x d\n", ["TR001"]),
    "second document": (WHOLE + "---\na: b\n", ["TR005"]),
    "after the end": (WHOLE + "...\na: b\n", ["TR001"]),
    "another YAML": ("%YAML 3.0\n---\na: b\n", ["TR001"]),
    "tag handle": ("a: !foo!bar b\n", ["TR001"]),
    "huge key": ("a" * 100_000 + ": b\n", ["TR001"]),
    "huge number": (completed(f"version: {'9' * 100_000}\n"), ["TR103"]),
    "sexagesimal": (completed("version: 1:1\n"), ["TR103"]),
    "true": (completed("version: true\n"), ["TR103"]),
}


@pytest.fixture(params=PARSERS)
def _both_parsers(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_parser, "PARSER", request.param)


def said(text: str) -> tuple[Diagnostic, ...]:
    """What is found, once it's seen that each finding can be told."""
    found = judged(text)
    source = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = source.split("\n")
    for each in found:
        for place in (each.place, *(n.place for n in each.notes if n.place)):
            assert 1 <= place.line <= len(lines)
            assert 1 <= place.column <= len(lines[place.line - 1]) + 1
            assert place.width >= 1
    told = report(found, source, "routes.yaml", colour=False)
    assert all(line.isprintable() for line in told.split("\n"))
    return found


@pytest.mark.usefixtures("_both_parsers")
@pytest.mark.parametrize(("text", "codes"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_told_what_is_wrong_with_it(
    text: str, codes: list[str]
) -> None:
    assert [found.code for found in said(text)] == codes


def test_a_report_of_a_long_line_is_short() -> None:
    text = completed(
        f"routes:\n  - {{kind: a, names: [{'x' * 1_000_000}, b, {'é' * 9}]}}\n"
    )
    told = report(judged(text), text, "routes.yaml", colour=False)
    assert max(map(len, told.split("\n"))) < 160


@pytest.mark.usefixtures("_both_parsers")
@pytest.mark.parametrize(
    "text",
    ["*NAME", "[&NAME a, &NAME b]", "&NAME [*NAME]", "[&NAME [&b c, *b], *NAME]"],
)
def test_an_anchors_name_is_shown_as_far_as_it_fits(text: str) -> None:
    (found,) = judged(text.replace("NAME", "a" * 5_000))
    assert "aaa…" in found.headline
    assert len(found.headline) < 200


def test_a_table_with_a_byte_order_mark_and_crlf_is_fine() -> None:
    assert said("\ufeff" + ROOT.replace("\n", "\r\n")) == ()


@pytest.mark.usefixtures("_both_parsers")
def test_aliases_that_stand_for_little_are_fine() -> None:
    text = completed(
        "routes:\n"
        "  - {kind: one, names: [a], advertise: &none []}\n"
        "  - {kind: two, names: [b], advertise: *none}\n"
    )
    assert said(text) == ()


PIECES = st.sampled_from(
    [
        *(
            ": ",
            ":",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "#",
            "&a ",
            "*a",
            "!",
            "!!str ",
        ),
        *(
            "|\n",
            ">-\n",
            "'",
            '"',
            "\\",
            "%",
            "@",
            "`",
            "\n",
            "\n  ",
            "\n    ",
            "\t",
            "\r\n",
        ),
        *(
            "---\n",
            "...\n",
            "<<: ",
            "=",
            "~",
            "no",
            "12:30",
            "1_0",
            "true",
            "a",
            "{name}",
        ),
        *(
            "version: 1\n",
            "routes:\n",
            "kind: a",
            "names",
            "é",
            "👋",
            "\x1b",
            "\ud800",
            "\0",
        ),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_told_what_is_wrong_with_it(text: str) -> None:
    said(text)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_table_with_a_slip_in_it_is_told_what_is_wrong_with_it(
    data: st.DataObject,
) -> None:
    body = ROOT[ROOT.index("version: 1") :]
    start = data.draw(st.integers(0, len(body)))
    stop = start + data.draw(st.integers(0, 12))
    said(body[:start] + data.draw(PIECES | st.just("")) + body[stop:])


def test_both_parsers_find_the_same_in_what_is_yaml() -> None:
    slips = re.sub(r"names: \[", "names: [no, 1, {a: b}, ", ROOT).replace(
        "kind:", "kid:"
    )
    found = []
    for parser in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_parser, "PARSER", parser)
            found.append(said(slips))
    assert found[0] == found[1]
    assert len(found[0]) > 70
