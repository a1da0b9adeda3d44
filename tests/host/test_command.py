"""`python -m toolroute_host`: the shipped calls, a user's own, and a table of both."""

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolroute import ToolCall
from toolroute_host import __main__ as command
from toolroute_host import _table, dispatch
from toolroute_host._calls_file import CALLERS, Planned, UnreadableCalls, load, parse
from toolroute_host._demo import make
from toolroute_host._demo_host import NAMES, demo_host
from toolroute_host._show import Shown, table

GOOD = '{"name": "think", "as": "host"}'


def run(
    *arguments: str, columns: int = 100, **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS"}}
    return subprocess.run(
        [sys.executable, "-m", "toolroute_host", *arguments],
        env={**kept, "COLUMNS": str(columns), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def made(shown: str) -> list[tuple[str, str]]:
    """The caller and the kind or refusal of each row of a wide table."""
    rows = [re.split(r" {2,}", line) for line in shown.splitlines()[1:-2]]
    return [(row[1].split()[0], row[2]) for row in rows]


def test_the_shipped_calls_reach_every_kind_by_every_caller_that_can() -> None:
    done = run(columns=2_000)
    assert (done.returncode, done.stderr) == (0, "")
    rows = made(done.stdout)
    reached = {(kind, caller) for caller, kind in rows if kind in dispatch.ORDER}
    never = {
        *(("agent_verb", "module"), ("skip_reply", "module"), ("drafts", "module")),
        *(("skip_reply", "host"), ("skip_reply", "puppet"), ("focus", "module")),
        ("code_execution", "script"),
    }
    assert reached | never >= {(k, c) for k in dispatch.ORDER for c in CALLERS}
    assert not reached & never
    refused = {kind.removeprefix("refused: ") for _, kind in rows if " " in kind}
    assert refused == {*dispatch.REFUSALS, "puppet_off_surface"}
    assert f"\n{len(rows)} calls: " in done.stdout
    lines = [re.split(r" {2,}", line) for line in done.stdout.splitlines()[1:-2]]
    well = {line[2] for line in lines if not line[3].startswith("error: ")}
    assert well >= set(dispatch.ORDER)


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> list[Shown]:
    """What came of the shipped calls."""
    world = demo_host(tmp_path_factory.mktemp("host"))
    shown = asyncio.run(make(load(command.SHIPPED, NAMES), world))
    world.close()
    return shown


@pytest.mark.parametrize("columns", [60, 80, 100, 200])
def test_the_table_fits_the_terminal_and_is_printable(
    made_once: list[Shown], columns: int
) -> None:
    lines = list(table(made_once, columns, colour=False))
    assert max(map(_table.columns_of, lines)) <= columns
    assert len(lines) == len(made_once) + 1
    assert all(line.isprintable() for line in lines)


def on_a_terminal(*arguments: str, **environment: str) -> str:
    main, side = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "toolroute_host", *arguments],
        env={**kept, "TERM": "xterm", **environment},
        stdout=side,
    ) as process:
        os.close(side)
        shown = b""
        while True:
            try:
                piece = os.read(main, 65_536)
            except OSError:  # the other end is closed: all of it is read
                break
            if not piece:
                break
            shown += piece
        process.wait()
    os.close(main)
    return shown.decode()


def test_colour_is_on_a_terminal_only_and_no_color_is_honoured(tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_text(f'{GOOD}\n{{"name": "nothing", "as": "host"}}\n')
    coloured = on_a_terminal(str(calls))
    assert "\x1b[32magent_verb" in coloured
    assert "\x1b[33mrefused: unknown_tool" in coloured
    assert "\x1b" not in on_a_terminal(str(calls), NO_COLOR="1")


def test_a_dumb_terminal_and_an_empty_no_color_are_what_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "")
    assert command.coloured()
    monkeypatch.setenv("TERM", "dumb")
    assert not command.coloured()


def test_a_users_own_calls_are_made(tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_bytes(
        b'\xef\xbb\xbf{"name": "think", "as": "turn", "agent": "ada"}\r\n\r\n'
        b'{"name": "channel_list", "as": ["host", "module"]}\r\n'
    )
    done = run(str(calls), columns=500)
    assert (done.returncode, done.stderr) == (0, "")
    assert made(done.stdout) == [
        ("turn", "agent_verb"),
        ("host", "channel"),
        ("module", "channel"),
    ]
    assert done.stdout.endswith(
        "3 calls: 3 answered, 0 answered with an error, 0 refused.\n"
    )
    assert "\x1b" not in done.stdout


BAD = {
    "think": "isn't JSON: Expecting value at column 1",
    "[]": 'must be an object: {"name": "think"}',
    "{}": '`name` must be there, and a string: {"name": "think"}',
    '{"name": 7}': '`name` must be there, and a string: {"name": "think"}',
    '{"name": "think", "input": []}': "`input` must be an object, or be left out",
    '{"name": "think", "caller": "turn"}': (
        "a call has no key 'caller'. It has agent, as, input, name, without"
    ),
    '{"name": "think", "as": "god"}': (
        "`as` must name some of host, module, puppet, script, turn"
    ),
    '{"name": "think", "as": [["turn"]]}': (
        "`as` must name some of host, module, puppet, script, turn"
    ),
    '{"name": "think", "agent": "zoe"}': (
        "`agent` must be one of ada, bea, fay, mum, or null"
    ),
    '{"name": "think", "agent": {}}': (
        "`agent` must be one of ada, bea, fay, mum, or null"
    ),
    '{"name": "think"}': "`agent` must name whose turn call it is",
    '{"name": "think", "as": "puppet"}': "`agent` must name whose puppet call it is",
    '{"name": "think", "as": "host", "without": ["primary"]}': (
        "`without` must name some of channel_registry, code_execution, event_gate, "
        "focus, heartbeat, mcpl_registry, tune_out, utilities, workspace"
    ),
    '{"name": "think", "name": "wake", "as": "host"}': (
        "names `name` twice, so it can't be told which is meant"
    ),
    "[" * 100_000: "is JSON that's nested too deep or holds too long a number",
    f'{{"name": "think", "as": "host", "input": {{"n": {"9" * 5_000}}}}}': (
        "is JSON that's nested too deep or holds too long a number"
    ),
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:40])
def test_a_bad_line_gets_a_sentence_with_its_number(line: str) -> None:
    with pytest.raises(UnreadableCalls) as bad:
        parse(f"{GOOD}\n\n{line}\n{GOOD}", "calls.jsonl", NAMES)
    assert bad.value.findings == (f"calls.jsonl:3: {BAD[line]}",)


def test_every_bad_line_is_told_and_no_call_is_made(tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_text(f"{GOOD}\nnonsense\n{GOOD}\n[]\n")
    done = run(str(calls))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"{calls}:2: isn't JSON: Expecting value at column 1\n"
        f'{calls}:4: must be an object: {{"name": "think"}}\n'
    )


def unreadable(path: Path) -> str:
    with pytest.raises(UnreadableCalls) as bad:
        load(path, NAMES)
    (finding,) = bad.value.findings
    return finding


def test_a_file_that_cannot_be_used_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, folder, latin = tmp_path / "no.jsonl", tmp_path, tmp_path / "latin.jsonl"
    latin.write_bytes(GOOD.encode() + b'\n{"name": "caf\xe9"}\n')
    assert unreadable(missing) == (
        f"{missing}: can't be read: no such file or directory"
    )
    assert unreadable(folder) == f"{folder}: can't be read: is a directory"
    assert unreadable(latin) == f"{latin}:2: isn't text in UTF-8"
    monkeypatch.setattr("toolroute_host._calls_file.LARGEST", 10)
    assert unreadable(latin) == f"{latin}: holds over 10 bytes of calls"


def test_a_pipe_with_nobody_at_the_other_end_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert unreadable(tmp_path / "pipe") == f"{tmp_path / 'pipe'}: isn't a file"


@pytest.mark.parametrize("arguments", [["a", "b"], ["--loud"], ["-x", "a"]])
def test_misuse_gets_the_usage_and_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(arguments) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "usage: python -m toolroute_host [CALLS.jsonl]\n",
    )


def test_help_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: python -m toolroute_host [")


def test_an_empty_file_makes_no_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").write_text("")
    assert command.main([str(tmp_path / "empty")]) == 0
    assert capsys.readouterr().out.endswith(
        "0 calls: 0 answered, 0 answered with an error, 0 refused.\n"
    )


def shown(name: str, answer: Any, **given: Any) -> Shown:
    planned = Planned(ToolCall("1", name, given), "host", None, frozenset())
    return Shown(planned, "answered", "module", answer)


def rows(*all_shown: Shown, width: int) -> list[str]:
    return list(table(all_shown, width, colour=False))


def test_a_wide_column_gives_way_first_and_a_cut_is_marked() -> None:
    lines = rows(shown("files--read", "x" * 100, path="a"), width=60)
    assert lines == [
        "call              caller  kind or refusal  answer",
        'files--read {"p…  host    module           xxxxxxxxxxxxxxxx…',
    ]


def test_characters_that_take_two_columns_are_counted_as_two() -> None:
    _, line = rows(shown("a--b", "漢字" * 40), width=60)
    assert _table.columns_of(line) in {59, 60}
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("answer", "cell"),
    [
        ("two\nlines\x1b[31m", r"two\nlines\x1b[31m"),
        ({"a": "two\nlines"}, r'{"a": "two\nlines"}'),
        ({"a": "\u202e"}, r'{"a": "\u202e"}'),
        ("a \\ back", "a \\ back"),
        ("\ud800", r"\ud800"),
        (None, "null"),
    ],
)
def test_what_is_not_printable_is_shown_escaped(answer: object, cell: str) -> None:
    _, line = rows(shown("a--b", answer), width=200)
    assert line.split("  ")[-1].strip() == cell


def test_the_package_ships_its_calls() -> None:
    lines = command.SHIPPED.read_text("utf-8").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
