"""Nothing that a table's author writes becomes code: it's refused, or a literal."""

import ast
import io
import tokenize
from collections.abc import Callable
from typing import Any

import pytest
from modules import as_yaml, imported

from toolroute_codegen.compile import compile_table
from toolroute_codegen.diagnostics import Rejected

PAYLOADS = [
    *(
        '"',
        "'",
        '"""',
        "'''",
        '""""',
        "\\",
        "\\\\",
        '\\"',
        'a"""; import os; """',
        "a\\",
    ),
    *("\n", "a\nimport os", "\r\nimport os", "\rimport os", "\t", "\x0cimport os"),
    *("{{ 7 * 7 }}", "{% raw %}", "{# x #}", "{0}", "%s %(name)s", "${x}", "\\N{DASH}"),
    *("\0", "a\0b", "\x1b[2J", "\x7f", "\x85import os", "\u2028import os", "\u2029x"),
    *(
        "\u202e\u2066x",
        "\u200b",
        "\ufeffx",
        "\u0430dmin",
        "\u212a",
        "\uff21",
        "e\u0301",
    ),
    *("# type: ignore", "# fmt: off", "# noqa", "#!x", "# coding: utf-7", "+AGEAYgBj-"),
    *("f'{x}'", "x' 'y", "\\x41", "\\u0041", "\\101", "\U0001f600", "__import__('os')"),
    *("'''\"\"\"'''", '"' * 7, "\\" * 7, "x" * 500, "word " * 100, '" ' * 60),
]
WORDS = [
    *PAYLOADS,
    *(
        "",
        "a b",
        "a-b.c",
        "1a",
        "_x",
        "__init__",
        "class",
        "None",
        "print",
        "a(b)",
        "a,b",
    ),
    *(
        "Route",
        "decide",
        "REFUSALS",
        "self;x",
        "a=1",
        "lambda: 0",
        "caf\u00e9",
        "\u00aa",
    ),
]

Put = Callable[[dict[str, Any], str], None]


def table() -> dict[str, Any]:
    """A table with a place for everything that an author writes."""
    return {
        "version": 1,
        "callers": {"turn": {"road": "turn", "doc": "doc"}},
        "capabilities": {
            "gate": {"doc": "doc", "type": "pathlib:Path"},
            "flag": {"doc": "doc"},
        },
        "lookups": {
            "owner": {"doc": "doc", "type": "pathlib:Path", "refuses": ["busy"]}
        },
        "guards": {"check": {"doc": "doc", "sees": "input", "refuses": ["busy"]}},
        "unwraps": {"inner": {"doc": "doc"}},
        "refusals": {
            "unknown": {
                "code": "NO_TOOL",
                "retry": "no",
                "text": "| {name} | {name} |",
            },
            "busy": {"code": "BUSY", "retry": "no", "text": "{what} |"},
            "gone": {"code": "GONE", "retry": "no", "text": "|"},
        },
        "normalise": ["trim"],
        "guard": "check",
        "routes": [
            {
                "kind": "one",
                "doc": "doc",
                "names": ["one", "uno"],
                "requires": ["gate", "flag"],
                "when_missing": "gone",
                "refuse": [{"callers": ["turn"], "names": ["uno"], "with": "gone"}],
                "unwrap": "inner",
            },
            {"kind": "two", "doc": "doc", "lookup": "owner", "within": {"glob": "o*z"}},
            {"kind": "three", "doc": "doc", "prefix": "three_"},
            {"kind": "four", "doc": "doc", "split": "--"},
        ],
        "otherwise": "unknown",
    }


def docs(written: dict[str, Any], payload: str) -> None:
    """The payload in each doc."""
    payload = f"d{payload}"
    for section in ("callers", "capabilities", "lookups", "guards", "unwraps"):
        for entry in written[section].values():
            entry["doc"] = payload
    for route in written["routes"]:
        route["doc"] = payload


def texts(written: dict[str, Any], payload: str) -> None:
    """The payload around, and between, the placeholders of each text."""
    braced = payload.replace("{", "{{").replace("}", "}}")
    for refusal in written["refusals"].values():
        refusal["text"] = refusal["text"].replace("|", f"t{braced}t")


def masked(text: str) -> str:
    """The module's code, without what its strings say."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("put", [docs, texts])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_stands_in_a_text_is_a_literal(put: Put, payload: str) -> None:
    plain = table()
    put(plain, "x")
    hostile = table()
    put(hostile, payload)
    text = compile_table(as_yaml(hostile), "routes.yaml")
    assert masked(text) == masked(compile_table(as_yaml(plain), "routes.yaml"))
    assert all(line.isprintable() for line in text.split("\n"))
    comments = tokenize.generate_tokens(io.StringIO(text).readline)
    assert len([each for each in comments if each.type == tokenize.COMMENT]) == 2


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_text_says_what_was_written(payload: str) -> None:
    hostile = table()
    texts(hostile, payload)
    module = imported(compile_table(as_yaml(hostile), "routes.yaml"))
    between = f"t{payload}t"
    assert module.unknown(name="N").text == f"{between} N {between} N {between}"
    assert module.gone().text == between


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_doc_says_what_was_written_with_its_white_space_as_one_space(
    payload: str,
) -> None:
    hostile = table()
    docs(hostile, f"a {payload} z")
    module = imported(compile_table(as_yaml(hostile), "routes.yaml"))
    said = " ".join((module.One.__doc__ or "").split())
    assert said == " ".join(f"da {payload} z".split())


def _key(section: str) -> Put:
    def put(written: dict[str, Any], word: str) -> None:
        old, *_ = written[section]
        entries = {
            word if key == old else key: v for key, v in written[section].items()
        }
        written[section] = entries

    return put


def _at(*path: str | int) -> Put:
    def put(written: dict[str, Any], word: str) -> None:
        node: Any = written
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = word

    return put


def _placeholder(written: dict[str, Any], word: str) -> None:
    bare = word.replace("{", "").replace("}", "")
    written["refusals"]["busy"]["text"] = "{" + bare + "} text"


WORDED: dict[str, Put] = {
    **{
        section: _key(section)
        for section in (
            *("callers", "capabilities", "lookups", "guards", "unwraps", "refusals"),
        )
    },
    "kind": _at("routes", 0, "kind"),
    "code": _at("refusals", "busy", "code"),
    "retry": _at("refusals", "busy", "retry"),
    "type": _at("lookups", "owner", "type"),
    "road": _at("callers", "turn", "road"),
    "sees": _at("guards", "check", "sees"),
    "name": _at("routes", 0, "names", 0),
    "prefix": _at("routes", 2, "prefix"),
    "split": _at("routes", 3, "split"),
    "glob": _at("routes", 1, "within", "glob"),
    "guard": _at("guard"),
    "otherwise": _at("otherwise"),
    "requires": _at("routes", 0, "requires", 0),
    "plane": _at("routes", 0, "plane"),
    "form": _at("normalise", 0),
    "placeholder": _placeholder,
}


LITERALS = ("callers", "code", "name", "prefix", "split", "glob")
NAMES = [("kind", "decide")]
"""What may become a name: `Decide` is a class like another."""


@pytest.mark.parametrize("slot", WORDED)
def test_a_word_is_refused_or_a_literal(slot: str) -> None:
    plain = masked(compile_table(as_yaml(table()), "routes.yaml"))
    for word in WORDS:
        written = table()
        WORDED[slot](written, word)
        try:
            text = compile_table(as_yaml(written), "routes.yaml")
        except Rejected:
            continue
        assert word.isascii()
        if slot in LITERALS:
            assert masked(text) == plain
        else:
            assert (slot, word) in NAMES


@pytest.mark.parametrize("payload", [*PAYLOADS, "routes.yaml", "../routes.yaml", "a b"])
def test_a_files_name_ends_no_comment_and_directs_no_tool(payload: str) -> None:
    plain = compile_table(as_yaml(table()), "routes.yaml")
    text = compile_table(as_yaml(table()), payload)
    head, line_two, rest = text.split("\n", 2)
    assert rest == plain.split("\n", 2)[2]
    assert line_two == plain.split("\n", 2)[1]
    assert head.isprintable()
    assert len(head) < 600
    assert head.startswith("# Generated by `toolroute build` from ")
    assert head.endswith(": where each tool call goes.")
    assert head.count("#") == 1
    assert head.count(":") == 1
    assert "coding=" not in head
