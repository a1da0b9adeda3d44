"""The command as it's typed: in a process of its own, with nothing installed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import toolroute

SOURCE = Path(toolroute.__file__).parents[1]


def typed(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """With no site packages: what isn't the standard library can't be imported."""
    start = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); "
    start += "from toolroute.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-S", "-I", "-W", "error", "-c", start, "transcript"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, check=False, timeout=60, **options
    )


@pytest.fixture
def file(tmp_path: Path, stuck: Any) -> Path:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(stuck))
    return path


def test_it_runs_with_nothing_but_the_standard_library(
    file: Path, settled: Any
) -> None:
    run = typed("settle", str(file))
    assert run.returncode == 0
    assert json.loads(run.stdout) == settled
    assert b"Traceback" not in run.stderr


def test_python_dash_m_runs_it(file: Path, settled: Any) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "toolroute", "transcript", "settle", str(file)],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (run.returncode, json.loads(run.stdout)) == (0, settled)


def test_check_exits_1_and_a_settled_file_0(file: Path) -> None:
    assert typed("check", str(file)).returncode == 1
    assert typed("settle", str(file), "--in-place").returncode == 0
    assert typed("check", str(file)).returncode == 0


def test_a_pipe_goes_through(file: Path, settled: Any) -> None:
    run = typed("settle", "-", input=file.read_bytes())
    assert (run.returncode, json.loads(run.stdout)) == (0, settled)


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    message = {"role": "user", "content": "x" * 1000}
    file.write_text(json.dumps([message] * 5000))
    read, write = os.pipe()
    os.close(read)
    start = "from toolroute.__main__ import main; import sys; sys.exit(main())"
    command = [sys.executable, "-c", start, "transcript", "settle", str(file)]
    run = subprocess.run(
        [*command, "--format", "openai_chat"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write)
    assert run.returncode == 0
    assert run.stderr.decode() == (
        f"{file}: openai_chat, 5000 messages: nothing to settle\n"
    )


def test_a_full_disk_behind_standard_output_is_said(file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        start = "from toolroute.__main__ import main; import sys; sys.exit(main())"
        run = subprocess.run(
            [sys.executable, "-c", start, "transcript", "settle", str(file)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert run.returncode == 2
    last = run.stderr.decode().splitlines()[-1]
    assert last == "toolroute: <stdout> can't be written: no space left on device."


@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 0), ("2>&-", 0)])
def test_a_closed_stream_is_no_traceback(file: Path, closed: str, status: int) -> None:
    name = "-" if closed == "<&-" else str(file)
    line = f"{sys.executable} -m toolroute transcript settle {name} {closed}"
    run = subprocess.run(
        ["sh", "-c", line], capture_output=True, check=False, timeout=60
    )
    assert run.returncode == status
    assert b"Traceback" not in run.stderr


def test_a_terminal_that_knows_only_ascii_gets_escapes(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    call = '{"type": "tool_use", "id": "arrêt", "name": "x", "input": {}}'
    file.write_text(f'[{{"role": "assistant", "content": [{call}]}}]', encoding="utf-8")
    start = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); "
    start += "from toolroute.__main__ import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", start, "transcript", "check", str(file)],
        capture_output=True,
        check=False,
        timeout=60,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert run.returncode == 1
    assert b"`arr\\xeat`" in run.stdout


def test_the_compiler_isnt_imported_for_it() -> None:
    start = (
        "import sys; from toolroute.__main__ import main; main(['transcript', '-h']); "
        "print(sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'yaml', 'pydantic', 'click', 'jinja2', 'toolroute_codegen'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", start], capture_output=True, check=False, timeout=60
    )
    assert run.stdout.decode().splitlines()[-1] == "[]"
