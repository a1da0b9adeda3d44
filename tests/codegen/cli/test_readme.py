"""What README and the docs show is what happens."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

from toolroute_codegen.cli._group import BUILT_IN
from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.compile import compile_table
from toolroute_codegen.schema import schema

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
DOCS = (ROOT / "docs" / "table.md").read_text("utf-8")


def session(block: str) -> list[tuple[str, str]]:
    """Each command of a console block, and what it shows."""
    commands = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return list(zip(commands[::2], commands[1::2], strict=True))


def shown_by(command: str, folder: Path) -> str:
    """Both streams, in the order in which they were written."""
    program, *arguments = shlex.split(command)
    started = {
        "toolroute": [sys.executable, "-m", "toolroute"],
        "python": [sys.executable],
    }[program]
    done = subprocess.run(
        [*started, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    return done.stdout


def test_the_walk_through_is_what_happens(tmp_path: Path) -> None:
    shown: list[tuple[str, str]] = []
    for language, block in BLOCKS:
        named = re.match(r"# (\w+\.py)\n", block)
        if named:
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
        elif language == "json":
            (tmp_path / "stuck.json").write_text(block, encoding="utf-8")
        elif language == "console":
            told = session(block)
            shown += told
            assert [(each, shown_by(each, tmp_path)) for each, _ in told] == told
    assert [command.split()[:2] for command, _ in shown] == [
        ["toolroute", "init"],
        ["toolroute", "build"],
        ["python", "host.py"],
        ["toolroute", "explain"],
        ["toolroute", "check"],
        ["python", "agent.py"],
        ["toolroute", "transcript"],
        ["toolroute", "transcript"],
        ["toolroute", "call"],
        ["toolroute", "call"],
        ["toolroute", "rule"],
    ]


def test_the_example_is_of_the_first_table_and_its_module() -> None:
    examples = [block for language, block in BLOCKS if language in {"yaml", "python"}]
    assert examples[0] in TABLE
    assert examples[1] in compile_table(TABLE, "routes.yaml")


def test_every_command_is_told_and_none_that_is_not_there() -> None:
    told = re.findall(r"^\| `toolroute (\w+)", README, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    hosts = project["entry-points"]["toolroute.commands"]
    assert told == [*BUILT_IN, "transcript", *hosts]


def test_the_docs_tables_compile() -> None:
    tables = re.findall(r"^```yaml\n(version.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    assert len(tables) == 1
    for table in tables:
        assert compile_table(table, "routes.yaml").startswith("# Generated")


def test_the_docs_tell_of_every_key() -> None:
    whole = schema()
    sections = (whole, *whole["$defs"].values())
    keys = set(chain.from_iterable(section["properties"] for section in sections))
    untold = {key for key in keys if f"`{key}" not in DOCS}
    assert untold == {"version", "doc", "routes"}
