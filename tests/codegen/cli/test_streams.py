"""Data on standard output, all else on standard error; never a traceback."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolroute_codegen.cli import main
from toolroute_codegen.cli._say import colour_on, visible

Run: TypeAlias = Callable[..., tuple[int, str, str]]

COMMAND = [sys.executable, "-m", "toolroute"]


class Terminal:
    """A stream that is one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("said", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"CLICOLOR": "0"}, False),
    ],
    ids=str,
)
def test_a_terminal_has_colour_unless_its_owner_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], *, coloured: bool
) -> None:
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    stream: Any = Terminal()
    assert colour_on(stream) is coloured


@pytest.mark.parametrize(
    ("said", "coloured"),
    [
        ({}, False),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"CLICOLOR": "1"}, False),
    ],
    ids=str,
)
def test_what_is_no_terminal_has_none_unless_its_owner_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], *, coloured: bool
) -> None:
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert colour_on(None) is coloured


def test_what_would_move_the_terminal_is_shown_escaped() -> None:
    hostile = "a\x1b[2Jb\r\u202ec\u2066\x9b\udcff\u200b\0 ä\\n"
    shown = "a\\x1b[2Jb\\r\\u202ec\\u2066\\x9b\\udcff\\u200b\\x00 ä\\n"
    assert visible(hostile) == shown


def test_an_interrupt_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolroute_codegen.cli._schema.out", interrupt)
    assert main(["schema"]) == 130
    assert capsys.readouterr() == ("", "toolroute: stopped.\n")


@pytest.mark.parametrize(
    ("needed", "command"),
    [
        ("toolroute_codegen.cli", "check"),
        ("toolroute.transcript._command", "transcript"),
    ],
)
def test_an_interrupt_while_the_command_is_imported_ends_quietly(
    folder: Path, needed: str, command: str
) -> None:
    code = f"""
import sys
from toolroute.__main__ import main

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {needed!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
sys.exit(main([{command!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    told = (done.returncode, done.stdout, done.stderr)
    assert told == (130, "", "toolroute: stopped.\n")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "schema"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_that_cannot_be_written_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "schema"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (
        2,
        b"toolroute: the output can't be written: no space left on device.\n",
    )


def shell(line: str, folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "TOOLROUTE": " ".join(COMMAND)},
    )
    return done.returncode, done.stdout, done.stderr


def test_a_closed_standard_output_is_told_where_there_is_data(folder: Path) -> None:
    assert shell("$TOOLROUTE schema >&-", folder) == (
        2,
        "",
        "toolroute: standard output is closed, so there's nowhere to write to.\n",
    )


def test_what_has_no_data_needs_no_standard_output(folder: Path) -> None:
    assert shell("$TOOLROUTE init >&-", folder)[0] == 0
    assert shell("$TOOLROUTE build >&-", folder)[:2] == (0, "")
    assert (folder / "dispatch.py").read_text().startswith("# Generated")


def test_a_closed_standard_error_changes_nothing(folder: Path) -> None:
    assert shell("$TOOLROUTE init 2>&-", folder) == (0, "", "")
    assert shell("$TOOLROUTE check no.yaml 2>&-", folder) == (2, "", "")
    assert shell("$TOOLROUTE check <&- >&- 2>&-; echo $?", folder)[1] == "2\n"


def test_a_name_that_is_not_text_is_shown_escaped(folder: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "check", b"\xff\x1b.yaml"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        b"",
        b"toolroute: there is no file \\udcff\\x1b.yaml.\n",
    )


def test_an_alphabet_without_the_letters_gets_them_escaped(folder: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "check", "ü.yaml"],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
    )
    assert (done.returncode, done.stderr) == (
        2,
        b"toolroute: there is no file \\xfc.yaml.\n",
    )


@pytest.mark.parametrize("package", ["yaml", "jinja2", "click"])
def test_a_missing_extra_is_named_in_a_sentence(folder: Path, package: str) -> None:
    (folder / "routes.yaml").touch()
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "from toolroute.__main__ import main; sys.exit(main(['check', 'routes.yaml']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    words = (
        f"toolroute: this command needs the package {package}, which isn't "
        "installed. Install the compiler with: pip install 'toolroute[codegen]'"
    )
    if package == "click":  # without it, nobody knows yet which command there would be
        words += (
            ", and for `call` and `serve` the host with: pip install "
            "'toolroute[host]'. `toolroute transcript` needs neither."
        )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{words}\n")


def test_a_current_folder_that_is_gone_is_told(folder: Path) -> None:
    assert shell("mkdir x; cd x; rmdir ../x; $TOOLROUTE check", folder) == (
        2,
        "",
        "toolroute: the current folder is gone. Go to another.\n",
    )


def test_a_terminal_sees_colour_and_a_pipe_does_not(folder: Path) -> None:
    assert shell("$TOOLROUTE init", folder)[0] == 0
    (folder / "routes.yaml").write_text("version: 2\n")
    piped = subprocess.run(
        [*COMMAND, "check"], cwd=folder, capture_output=True, check=False
    )
    ours, theirs = pty.openpty()
    seen = subprocess.run(
        [*COMMAND, "check"],
        cwd=folder,
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, "TERM": "xterm"},
    )
    os.set_blocking(ours, False)
    coloured = os.read(ours, 100_000)
    os.close(ours)
    os.close(theirs)
    assert (piped.returncode, seen.returncode) == (1, 1)
    assert b"\x1b[" not in piped.stdout
    assert b"\x1b[" in coloured


def test_a_fault_of_our_own_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("too\ndeep")

    monkeypatch.setattr("toolroute_codegen.cli._schema.out", fail)
    assert main(["schema"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(
        "toolroute: this is a fault of toolroute's own (RecursionError in "
        "test_streams.py, line "
    )
    monkeypatch.setenv("TOOLROUTE_TRACEBACK", "1")
    with pytest.raises(RecursionError):
        main(["schema"])
