"""Findings for programs: lines for GitHub, and SARIF as its schema has it."""

import re
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from toolroute_codegen.diagnostics import Diagnostic, Note, Place
from toolroute_codegen.report import as_json, github, sarif
from toolroute_codegen.rules import NAMES, page_of

FOUND = Diagnostic(
    Place(2, 4, 5),
    "TR204",
    "there is no caller named `a%0Ab`",
    "Did you mean `agent`?",
    (Note("Declared here:", Place(1, 1, 3)), Note("So\nit is.")),
)
OTHER = Diagnostic(Place(1, 1), "stale-module", "this isn't it", "Write it anew.")


def test_a_line_for_github_ends_where_it_ends_and_says_nothing_else() -> None:
    assert github([FOUND, OTHER], "a,b:c%\n.yaml") == (
        "::error file=a%2Cb%3Ac%25\\n.yaml,line=2,col=4,endColumn=9,"
        "title=TR204 unknown_caller::there is no caller named `a%250Ab`. "
        "Declared here: line 1. So\\nit is. Did you mean `agent`?\n"
        "::error file=a%2Cb%3Ac%25\\n.yaml,line=1,col=1,endColumn=2,"
        "title=stale-module::this isn't it. Write it anew."
    )


@pytest.mark.parametrize(
    "hostile", ["\r::error::x", "\x1b[2J", "\u202e", "\n\n", "%0A"]
)
def test_nothing_in_a_finding_is_a_command_of_its_own(hostile: str) -> None:
    note = Note(hostile)
    found = Diagnostic(Place(1, 1), "TR001", hostile, hostile, (note,))
    line = github([found], hostile)
    assert line.isprintable()
    assert re.findall(r"(?m)^::\w+", line) == ["::error"]
    assert "%0A" not in line


def test_sarif_has_each_finding_with_its_rule_and_its_places() -> None:
    (run,) = sarif([FOUND, OTHER, FOUND], "a b/c.yaml")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["TR204", "stale-module"]
    assert rules[0]["name"] == "UnknownCaller"
    assert rules[0]["help"] == {"text": page_of("unknown_caller")}
    assert [each["ruleIndex"] for each in run["results"]] == [0, 1, 0]
    file = {"uri": "a%20b/c.yaml"}
    assert run["results"][0] == {
        "ruleId": "TR204",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": (
                "there is no caller named `a%0Ab`. Declared here: line 1. "
                "So\\nit is. Did you mean `agent`?"
            )
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": file,
                    "region": {"startLine": 2, "startColumn": 4, "endColumn": 9},
                }
            }
        ],
        "relatedLocations": [
            {
                "message": {"text": "Declared here:"},
                "physicalLocation": {
                    "artifactLocation": file,
                    "region": {"startLine": 1, "startColumn": 1, "endColumn": 4},
                },
            }
        ],
    }


def closed(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """An object's schema: these properties and no others, as SARIF's is."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": required.split(),
    }


def many(each: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": each}


TEXT: dict[str, Any] = {"type": "string"}
MESSAGE = closed("text", text=TEXT)
COUNT = {"type": "integer", "minimum": 1}
LOCATION = closed(
    "physicalLocation",
    physicalLocation=closed(
        "artifactLocation region",
        artifactLocation=closed("uri", uri={"type": "string", "pattern": r"^[!-~]+$"}),
        region=closed("startLine", startLine=COUNT, startColumn=COUNT, endColumn=COUNT),
    ),
    message=MESSAGE,
)
SARIF = closed(
    "version runs",
    **{"$schema": TEXT},
    version={"const": "2.1.0"},
    runs=many(
        closed(
            "tool results",
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            tool=closed(
                "driver",
                driver=closed(
                    "name",
                    name=TEXT,
                    rules={
                        **many(
                            closed(
                                "id",
                                id=TEXT,
                                name=TEXT,
                                shortDescription=MESSAGE,
                                help=MESSAGE,
                            )
                        ),
                        "uniqueItems": True,
                    },
                ),
            ),
            results=many(
                closed(
                    "message",
                    ruleId=TEXT,
                    ruleIndex={"type": "integer", "minimum": -1},
                    level={"enum": ["none", "note", "warning", "error"]},
                    message=MESSAGE,
                    locations=many(LOCATION),
                    relatedLocations={**many(LOCATION), "uniqueItems": True},
                )
            ),
        )
    ),
)
"""What SARIF 2.1.0 says of the properties that a log of ours has."""


@pytest.mark.parametrize("found", [[], [FOUND], [FOUND, OTHER]])
@pytest.mark.parametrize("filename", ["routes.yaml", "/a/ü %.yaml", "a:b\\n.yaml"])
def test_sarif_is_as_its_schema_has_it(found: list[Diagnostic], filename: str) -> None:
    log = sarif(found, filename)
    jsonschema.validate(log, SARIF)
    for result in log["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote(uri).removeprefix("file://") == filename


def test_json_has_each_finding_with_its_file() -> None:
    assert as_json([OTHER], "routes.yaml") == [
        {
            "file": "routes.yaml",
            "place": {"line": 1, "column": 1, "width": 1},
            "code": "stale-module",
            "headline": "this isn't it",
            "next_step": "Write it anew.",
            "notes": (),
        }
    ]


def test_every_rule_has_a_page_that_begins_with_a_sentence() -> None:
    firsts = [page_of(name).partition("\n")[0] for name in NAMES.values()]
    assert [first for first in firsts if not first.endswith(".")] == []
