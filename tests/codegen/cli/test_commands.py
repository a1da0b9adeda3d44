"""The command line itself: its help, its misuse, and other packages' commands."""

import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import click
import pytest

from toolroute_codegen.cli._group import BUILT_IN

Run: TypeAlias = Callable[..., tuple[int, str, str]]

HEAVY = ("pydantic", "jinja2", "yaml", "importlib.metadata", "toolroute_host")


def test_the_help_lists_every_command_in_order(run: Run) -> None:
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    listed = re.findall(r"^  (\w+) ", out.partition("Commands:\n")[2], re.MULTILINE)
    assert tuple(listed[: len(BUILT_IN)]) == BUILT_IN
    assert run("-h") == (0, out, "")


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_command_says_what_its_options_do_and_gives_an_example(
    run: Run, name: str
) -> None:
    status, out, err = run(name, "--help")
    assert (status, err) == (0, "")
    assert f"Examples:\n    toolroute {name}" in out
    module = __import__(f"toolroute_codegen.cli._{name}", fromlist=["command"])
    for parameter in module.command.params:
        help_text = getattr(parameter, "help", None)
        assert help_text or isinstance(parameter, click.Argument), parameter.name


def test_without_arguments_the_help_is_told_and_that_is_misuse(run: Run) -> None:
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == run("--help")[1]


def test_the_version_is_the_distributions(run: Run) -> None:
    version = importlib.metadata.version("toolroute")
    assert run("--version") == (0, f"toolroute {version}\n", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["chekc"],
            (
                "there is no command `chekc`. Did you mean `check`?\n"
                "The options and an example: toolroute --help\n"
            ),
        ),
        (
            ["\x1b[31m\n\u202e\udcff"],
            (
                "there is no command `\\x1b[31m\\n\\u202e\\udcff`.\n"
                "The options and an example: toolroute --help\n"
            ),
        ),
        (
            ["schema", "--jsn"],
            (
                "there is no option --jsn.\n"
                "The options and an example: toolroute schema --help\n"
            ),
        ),
        (
            ["check", "--outputs", "x"],
            (
                "there is no option --outputs. Did you mean --output?\n"
                "The options and an example: toolroute check --help\n"
            ),
        ),
        (
            ["check", "a", "b"],
            (
                "Got unexpected extra argument (b)\n"
                "The options and an example: toolroute check --help\n"
            ),
        ),
        (
            ["check", "--output-format", "xml"],
            (
                "--output-format: 'xml' is not one of 'text', 'json', "
                "'github', 'sarif'.\n"
                "The options and an example: toolroute check --help\n"
            ),
        ),
        (
            ["check", "--output"],
            (
                "Option '--output' requires an argument.\n"
                "The options and an example: toolroute check --help\n"
            ),
        ),
        (
            ["explain", "--caller", "turn"],
            (
                "NAME is missing.\n"
                "The options and an example: toolroute explain --help\n"
            ),
        ),
        (
            ["explain", "think"],
            (
                "--caller is missing.\n"
                "The options and an example: toolroute explain --help\n"
            ),
        ),
    ],
    ids=str,
)
def test_misuse_is_told_with_where_to_look(
    run: Run, arguments: list[str], told: str
) -> None:
    assert run(*arguments) == (2, "", f"toolroute: {told}")


@pytest.mark.parametrize(
    ("arguments", "others"),
    [
        (["--help"], ["importlib.metadata", "toolroute_host"]),  # others' commands
        (["rule"], []),
        (["rule", "TR203"], []),
        (["schema"], []),
        (["init", "--help"], []),
    ],
    ids=str,
)
def test_what_needs_no_table_imports_nothing_heavy(
    arguments: list[str], others: list[str]
) -> None:
    code = (
        "import sys\n"
        "from toolroute.__main__ import main\n"
        f"status = main({arguments!r})\n"
        f"sys.stderr.write(' '.join(m for m in {HEAVY!r} if m in sys.modules))\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert set(done.stderr.split()) <= set(others)


class Theirs:
    """Another package's entry points, in place of those that are installed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.points: list[EntryPoint] = []
        self.patch = monkeypatch
        monkeypatch.setattr(importlib.metadata, "entry_points", self._found)

    def _found(self, *, group: str) -> list[EntryPoint]:
        assert group == "toolroute.commands"
        return self.points

    def add(self, name: str, value: object) -> None:
        module = ModuleType("their_module")
        module.command = value  # type: ignore[attr-defined]
        self.patch.setitem(sys.modules, "their_module", module)
        self.points.append(
            EntryPoint(name, "their_module:command", "toolroute.commands")
        )

    def add_broken(self, name: str, source: str, folder: Path) -> None:
        (folder / "their_broken.py").write_text(source)
        self.patch.syspath_prepend(str(folder))
        self.patch.delitem(sys.modules, "their_broken", raising=False)
        self.points.append(
            EntryPoint(name, "their_broken:command", "toolroute.commands")
        )


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Theirs:
    return Theirs(monkeypatch)


def test_another_packages_command_is_run_and_listed_after_ours(
    run: Run, theirs: Theirs
) -> None:
    @click.command(short_help="Answer calls.")
    @click.option("--port", type=int)
    def serve(port: int) -> int:
        click.echo(f"on {port}")
        return 1

    theirs.add("serve", serve)
    assert run("serve", "--port", "7") == (1, "on 7\n", "")
    assert "\n  serve    Answer calls.\n\n  Examples:\n" in run("--help")[1]


def test_another_packages_misuse_is_told_as_ours(run: Run, theirs: Theirs) -> None:
    @click.command()
    def serve() -> None:
        raise click.ClickException("the port is taken\x1b")

    theirs.add("serve", serve)
    assert run("serve") == (2, "", "toolroute: the port is taken\\x1b\n")


@pytest.mark.parametrize(
    ("answer", "status"), [(None, 0), (3, 3), ("text", 0), (True, 1)]
)
def test_what_another_packages_command_returns_is_a_status_if_it_can_be(
    run: Run, theirs: Theirs, answer: object, status: int
) -> None:
    @click.command()
    def serve() -> object:
        return answer

    theirs.add("serve", serve)
    assert run("serve")[0] == status


@pytest.mark.parametrize(("code", "status"), [(0, 0), (3, 3), (None, 0), ("bad", 1)])
def test_another_packages_exit_is_the_status(
    run: Run, theirs: Theirs, code: object, status: int
) -> None:
    @click.command()
    def serve() -> None:
        sys.exit(code)  # type: ignore[arg-type]

    theirs.add("serve", serve)
    assert run("serve")[0] == status


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "import no_such_thing",
            "ModuleNotFoundError: No module named 'no_such_thing'",
        ),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise ValueError('a\\x1b\\nb')", "ValueError: a\\x1b\\nb"),
    ],
    ids=str,
)
def test_a_broken_command_is_named_in_a_sentence_and_harms_no_other(
    run: Run, theirs: Theirs, tmp_path: Path, source: str, words: str
) -> None:
    theirs.add_broken("serve", source, tmp_path)
    sentence = (
        f"the command `serve` of another package can't be loaded ({words}). "
        "Mend or remove another package: its entry point is their_broken:command."
    )
    assert run("serve") == (2, "", f"toolroute: {sentence}\n")
    status, out, _ = run("--help")
    assert (status, "can't be loaded" in out) == (0, True)
    assert run("schema")[0] == 0


def test_what_is_no_click_command_is_named_in_a_sentence(
    run: Run, theirs: Theirs
) -> None:
    theirs.add("serve", print)
    assert run("serve") == (
        2,
        "",
        (
            "toolroute: the command `serve` of another package can't be run: its entry "
            "point isn't a click command. Mend or remove another package.\n"
        ),
    )


def test_a_built_in_command_is_never_another_packages(run: Run, theirs: Theirs) -> None:
    theirs.add("schema", print)
    status, out, err = run("schema")
    assert (status, err) == (0, "")
    assert out.startswith("{")
