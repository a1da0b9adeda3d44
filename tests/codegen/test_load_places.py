"""Places are those that an editor shows, whoever parses and whatever ends the lines."""

import sys
from collections.abc import Iterator

import pytest
import yaml
from judging import completed, judged

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.load import Document, Unquoted, _parser, load

PARSERS = [pytest.param(yaml.SafeLoader, id="python")]
if hasattr(yaml, "CSafeLoader"):
    PARSERS.append(pytest.param(yaml.CSafeLoader, id="libyaml"))

ONE = "a: 1\nb:\n  - {c: 'd', e: [f, 👋, g]}\n  - h\n"


@pytest.fixture(params=PARSERS, autouse=True)
def _parser_used(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    monkeypatch.setattr(_parser, "PARSER", request.param)


def values(document: Document, *paths: tuple[str | int, ...]) -> list[Place]:
    return [document.places.of_value(path) for path in paths]


def test_the_fast_parser_is_used_where_there_is_one() -> None:
    parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    module = sys.modules.pop("toolroute_codegen.load._parser")
    try:
        import toolroute_codegen.load._parser as again  # noqa: PLC0415

        assert again.PARSER is parser
    finally:
        sys.modules["toolroute_codegen.load._parser"] = module


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        "\ufeff" + ONE,
        ONE.replace("\n", "\r\n"),
        "\ufeff" + ONE.replace("\n", "\r\n"),
    ],
    ids=["plain", "bom", "crlf", "both"],
)
def test_places_count_lines_and_characters(text: str) -> None:
    document = load(text, "x")
    assert document.source == ONE
    assert document.content == {
        "a": 1,
        "b": ({"c": "d", "e": ("f", "👋", "g")}, "h"),
    }
    assert values(
        document, ("a",), ("b", 0, "c"), ("b", 0, "e"), ("b", 0, "e", 2), ("b", 1)
    ) == [
        Place(1, 4, 1),
        Place(3, 9, 3),
        Place(3, 17, 9),
        Place(3, 24, 1),
        Place(4, 5, 1),
    ]
    assert document.places.of_key(("b",)) == Place(2, 1, 1)
    assert document.places.of_key(("b", 1)) == Place(4, 5, 1)


def test_a_block_is_pointed_at_by_the_first_thing_in_it() -> None:
    document = load("a:\n  b:\n    - c: d\n      e: f\n", "x")
    assert document.places.of_value(("a",)) == Place(2, 3, 1)
    assert document.places.of_value(("a", "b")) == Place(3, 7, 1)
    assert document.places.of_value(("a", "b", 0, "e")) == Place(4, 10, 1)


def test_text_over_several_lines_is_pointed_at_to_the_end_of_the_first() -> None:
    document = load("a: 'b\n  c'\nd: >-\n  e\n", "x")
    assert document.content == {"a": "b c", "d": "e"}
    assert values(document, ("a",), ("d",)) == [Place(1, 4, 2), Place(3, 4, 2)]


def test_a_path_that_leads_to_nothing_ends_at_the_last_that_is_there() -> None:
    document = load("a: {b: c}\n", "x")
    assert document.places.of_value(("a", "q", 3)) == Place(1, 4, 6)


def test_a_finding_in_what_an_alias_stands_for_is_where_it_is_written() -> None:
    text = completed(
        "routes:\n"
        "  - {kind: one, names: [a], requires: &both [gate]}\n"
        "  - {kind: two, names: [b], requires: *both}\n"
    )
    line = text.split("\n").index("  - {kind: one, names: [a], requires: &both [gate]}")
    assert [(f.code, f.place) for f in judged(text)] == [
        ("TR201", Place(line + 1, 46, 4))
    ]


def test_a_placeholder_is_pointed_at_where_the_text_is_written_as_it_reads() -> None:
    for style, place in {
        '"No {nmae}"': Place(6, 11, 6),
        "'No {nmae}'": Place(6, 11, 6),
        "No {nmae}": Place(6, 10, 6),
        r'"\x4eo {nmae}"': Place(6, 7, 14),
    }.items():
        text = completed(
            f"refusals:\n  unknown_tool:\n    code: X\n    retry: yes-not\n#\n{style}\n"
        ).replace("    retry: yes-not\n#\n", '    retry: "no"\n    text: ')
        found = judged(text)
        offset = text.split("\n").index(f"    text: {style}")
        assert [(f.code, f.place.line, f.place.width) for f in found] == [
            ("TR237", offset + 1, place.width)
        ]
        assert found[0].place.column == place.column + 4


def test_plain_scalars_are_what_yaml_1_1_reads() -> None:
    document = load(
        "[true, False, 12, 0o7, 012, yes, ~, '', 1.5, 0x1f, a, 'no', =]", "x"
    )
    assert document.content == (
        *(True, False, 12, "0o7", Unquoted("012", "int"), Unquoted("yes", "bool")),
        *(Unquoted("~", "null"), "", Unquoted("1.5", "float"), Unquoted("0x1f", "int")),
        *("a", "no", Unquoted("=", "value")),
    )
