"""`toolroute check` for GitHub's marks on a change, and for code scanners."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.compile import compile_table

Run: TypeAlias = Callable[..., tuple[int, str, str]]

STALE = "this module isn't what the table compiles to. Write it with: toolroute build"
MISSING = "this module isn't there yet. Write it with: toolroute build"


def broken(project: Path) -> None:
    (project / "routes.yaml").write_text(TABLE.replace("{road: turn,", "{road: tern,"))


def test_github_gets_a_command_a_finding(run: Run, project: Path) -> None:
    broken(project)
    assert run("check", "--output-format", "github") == (
        1,
        (
            "::error file=routes.yaml,line=10,col=16,endColumn=20,"
            "title=TR104 unknown_word::`road` can't be `tern`. Did you mean `turn`? "
            "It is one of turn, script, host, puppet, module.\n"
        ),
        "",
    )


def test_scanners_get_a_log(run: Run, project: Path) -> None:
    broken(project)
    status, out, err = run("check", "--output-format", "sarif")
    assert (status, err) == (1, "")
    log = json.loads(out)
    (result,) = log["runs"][0]["results"]
    assert (log["version"], result["ruleId"]) == ("2.1.0", "TR104")


@pytest.mark.parametrize(
    ("module", "code", "text"),
    [("x", "stale-module", STALE), (None, "missing-module", MISSING)],
)
def test_a_module_that_is_not_fresh_is_a_finding_in_it(
    run: Run, project: Path, module: str | None, code: str, text: str
) -> None:
    if module is not None:
        (project / "dispatch.py").write_text(module)
    assert run("check", "--output-format", "github") == (
        1,
        f"::error file=dispatch.py,line=1,col=1,endColumn=2,title={code}::{text}\n",
        "",
    )
    status, out, err = run("check", "--output-format", "sarif")
    (result,) = json.loads(out)["runs"][0]["results"]
    assert (status, err, result["ruleId"]) == (1, "", code)
    assert result["message"] == {"text": text}
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "dispatch.py"}


def test_where_all_is_in_order_there_is_nothing_to_mark(
    run: Run, project: Path
) -> None:
    (project / "dispatch.py").write_text(compile_table(TABLE, "routes.yaml"))
    assert run("check", "--output-format", "github") == (0, "", "")
    status, out, err = run("check", "--output-format", "sarif")
    assert (status, err, json.loads(out)["runs"][0]["results"]) == (0, "", [])
