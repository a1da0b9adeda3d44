"""`toolroute check` says what is wrong, and what a build would change."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.compile import compile_table

Run: TypeAlias = Callable[..., tuple[int, str, str]]

MODULE = compile_table(TABLE, "routes.yaml")
SETTINGS = '[tool.toolroute]\nsource = "routes.yaml"\noutput = "dispatch.py"\n'


def test_a_stale_module_is_shown_as_a_difference_and_left_alone(
    run: Run, project: Path
) -> None:
    old = MODULE.replace('kind = "greet"', 'kind = "meet\\\\\x1b[2J\u202e"', 1)
    assert old != MODULE
    (project / "dispatch.py").write_text(old)
    status, out, err = run("check")
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[:2] == [
        "--- dispatch.py (as it is)",
        "+++ dispatch.py (as the table has it)",
    ]
    assert [line.strip() for line in lines if line.startswith(("-  ", "+  "))] == [
        '-    kind = "meet\\\\\\x1b[2J\\u202e"',
        '+    kind = "greet"',
    ]
    assert lines[-3:] == [
        "",
        "dispatch.py isn't what routes.yaml compiles to.",
        "Renew it with: toolroute build",
    ]
    assert (project / "dispatch.py").read_text() == old


def test_the_command_that_renews_has_the_arguments_of_this_one(
    run: Run, folder: Path
) -> None:
    (folder / "my table.yaml").write_text(TABLE)
    (folder / "d.py").write_text("x")
    status, out, _ = run("check", "my table.yaml", "--output", "d.py")
    assert status == 1
    assert out.splitlines()[-1] == (
        "Renew it with: toolroute build 'my table.yaml' --output d.py"
    )


def test_a_module_that_is_not_there_yet_is_told(run: Run, project: Path) -> None:
    assert run("check") == (
        1,
        "dispatch.py isn't there yet. Write it with: toolroute build\n",
        "",
    )
    assert sorted(path.name for path in project.iterdir()) == [
        ".git",
        "pyproject.toml",
        "routes.yaml",
    ]


@pytest.mark.parametrize(
    ("old", "module"),
    [
        (MODULE, {"state": "fresh", "difference": None, "renew": None}),
        (None, {"state": "missing", "difference": None, "renew": "toolroute build"}),
    ],
    ids=["fresh", "missing"],
)
def test_programs_get_an_object(
    run: Run, project: Path, old: str | None, module: dict[str, str | None]
) -> None:
    if old is not None:
        (project / "dispatch.py").write_text(old)
    status, out, err = run("check", "--output-format", "json")
    assert (status, err) == (0 if old else 1, "")
    assert json.loads(out) == {
        "version": 1,
        "findings": [],
        "module": {"file": str(project / "dispatch.py"), **module},
    }


def test_programs_get_the_difference(run: Run, project: Path) -> None:
    (project / "dispatch.py").write_text(MODULE + "x\u202e\n")
    status, out, err = run("check", "--output-format", "json")
    assert (status, err, out.isascii()) == (1, "", True)
    module = json.loads(out)["module"]
    assert (module["state"], module["renew"]) == ("stale", "toolroute build")
    assert "\n-x\\u202e\n" in module["difference"]


def test_findings_are_told_before_anything_is_written(run: Run, project: Path) -> None:
    (project / "routes.yaml").write_text(TABLE.replace("{road: turn,", "{road: tern,"))
    (project / "dispatch.py").write_text(MODULE)
    for command in ("build", "check"):
        status, out, err = run(command)
        assert status == 1
        assert out.startswith("routes.yaml:10:16: TR104 ")
        assert err == "1 finding. What a rule means: toolroute rule TR104\n"
    assert (project / "dispatch.py").read_text() == MODULE


def test_programs_get_findings_in_an_object(run: Run, project: Path) -> None:
    (project / "routes.yaml").write_text(TABLE.replace("{road: turn,", "{road: tern,"))
    status, out, err = run("check", "--output-format", "json")
    assert (status, err) == (1, "")
    assert json.loads(out) == {
        "version": 1,
        "findings": [
            {
                "file": "routes.yaml",
                "place": {"line": 10, "column": 16, "width": 4},
                "code": "TR104",
                "headline": "`road` can't be `tern`",
                "next_step": (
                    "Did you mean `turn`? It is one of turn, script, host, puppet, "
                    "module."
                ),
                "notes": [],
            }
        ],
    }


@pytest.mark.parametrize("command", ["build", "check"])
def test_without_a_table_it_is_asked_for(run: Run, folder: Path, command: str) -> None:
    assert run(command) == (
        2,
        "",
        (
            "toolroute: which table? None was named, and no pyproject.toml from "
            "this folder up has a `source` under [tool.toolroute]. Name "
            "one: toolroute check routes.yaml. Or make one, settings and all: "
            "toolroute init\n"
        ),
    )
    (folder / "routes.yml").touch()
    assert run(command)[2].endswith("Name one: toolroute check routes.yml\n")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("routes.yaml", None, "there is no file routes.yaml."),
        ("routes.yaml", b"\xff", "routes.yaml:1:1: the byte 0xff here isn't UTF-8."),
        ("routes.yaml", b" " * 10_000_001, "routes.yaml is over 10 MB"),
        ("pyproject.toml", b"\xff", "pyproject.toml:1:1: the byte 0xff here isn't"),
        ("pyproject.toml", b"tool = 1", "pyproject.toml:1: `tool` is a number"),
        ("pyproject.toml", b"#" * 10_000_001, "pyproject.toml is over 10 MB"),
        (
            "pyproject.toml",
            SETTINGS.replace("dispatch.py", "routes.yaml").encode(),
            "routes.yaml is the table: its module needs another name.",
        ),
    ],
    ids=[
        "no table",
        "a table that isn't UTF-8",
        "a large table",
        "settings that aren't UTF-8",
        "settings of a wrong type",
        "large settings",
        "a module in the table's place",
    ],
)
@pytest.mark.parametrize("command", ["build", "check"])
def test_what_cannot_be_used_is_told(
    run: Run, project: Path, command: str, name: str, content: bytes | None, told: str
) -> None:
    (project / name).unlink()
    if content is not None:
        (project / name).write_bytes(content)
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith(f"toolroute: {told}")
    assert "Traceback" not in err


def test_a_fifo_in_place_of_a_file_is_told_and_not_waited_for(
    run: Run, project: Path
) -> None:
    for name in ("dispatch.py", "routes.yaml", "pyproject.toml"):
        (project / name).unlink(missing_ok=True)
        os.mkfifo(project / name)
        status, _, err = run("check")
        assert (status, "a pipe, a device or a socket" in err) == (2, True)


@pytest.mark.usefixtures("project")
def test_an_over_long_output_is_told(run: Run) -> None:
    status, _, err = run("build", "--output", "x" * 300)
    assert (status, "file name too long" in err) == (2, True)
    status, _, err = run("check", "--output", "x" * 300)
    assert (status, "file name too long" in err) == (2, True)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("argument", ["--output=a\0b", "a\0b"])
@pytest.mark.parametrize("command", ["build", "check", "init"])
def test_a_nul_in_a_name_is_told(run: Run, command: str, argument: str) -> None:
    assert run(command, argument) == (
        2,
        "",
        "toolroute: there is a NUL in a file's name, and no file has one.\n",
    )
