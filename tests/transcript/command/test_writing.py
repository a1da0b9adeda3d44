import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from .conftest import Toolroute


@pytest.fixture
def file(tmp_path: Path, stuck: Any) -> Path:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(stuck))
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_without_a_place_it_goes_to_standard_output_and_nothing_is_written(
    file: Path, settled: Any, toolroute: Toolroute
) -> None:
    before = file.read_bytes()
    run = toolroute("settle", file)
    assert run.status == 0
    assert run.out == json.dumps(settled)
    assert file.read_bytes() == before
    assert names(file.parent) == ["t.json"]


def test_in_place_keeps_a_backup_and_the_mode(
    file: Path, settled: Any, toolroute: Toolroute
) -> None:
    before = file.read_bytes()
    file.chmod(0o640)
    run = toolroute("settle", file, "--in-place")
    assert run.status == 0
    assert json.loads(file.read_text()) == settled
    backup = file.with_name("t.json.bak")
    assert backup.read_bytes() == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert stat.S_IMODE(backup.stat().st_mode) == 0o640
    assert names(file.parent) == ["t.json", "t.json.bak"]
    assert f"what it was is in {backup}" in run.err


def test_a_backup_never_replaces_another(file: Path, toolroute: Toolroute) -> None:
    file.with_name("t.json.bak").write_text("the first")
    before = file.read_bytes()
    toolroute("settle", file, "--in-place")
    assert file.with_name("t.json.bak").read_text() == "the first"
    assert file.with_name("t.json.bak1").read_bytes() == before


def test_in_place_doesnt_write_what_is_legal(
    file: Path, settled: Any, toolroute: Toolroute
) -> None:
    file.write_text(json.dumps(settled))
    os.utime(file, ns=(1, 1))
    run = toolroute("settle", file, "--in-place")
    assert run.status == 0
    assert file.stat().st_mtime_ns == 1
    assert names(file.parent) == ["t.json"]
    assert "not written, since nothing changed" in run.err


def test_in_place_refuses_a_symbolic_link(file: Path, toolroute: Toolroute) -> None:
    link = file.with_name("link.json")
    link.symlink_to(file)
    before = file.read_bytes()
    run = toolroute("settle", link, "--in-place")
    assert run.status == 2
    assert run.err == (
        f"toolroute: {link} is a symbolic link, and --in-place doesn't write through "
        "one: name the file that it points to.\n"
    )
    assert file.read_bytes() == before
    assert link.is_symlink()
    assert names(file.parent) == ["link.json", "t.json"]


def test_in_place_refuses_what_is_no_file(tmp_path: Path, toolroute: Toolroute) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    run = toolroute("settle", pipe, "--in-place")
    assert run.status == 2
    assert run.err == (
        f"toolroute: {pipe} isn't a regular file, so --in-place leaves it.\n"
    )
    run = toolroute("settle", "-", "--in-place", stdin=b"[]")
    assert run.status == 2
    assert "standard input can't be replaced" in run.err


def test_in_place_gives_way_when_somebody_else_wrote(
    file: Path, toolroute: Toolroute, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolroute.transcript import _command  # noqa: PLC0415

    settle = _command.settle

    def meanwhile(*arguments: Any, **options: Any) -> Any:
        file.write_text("[]  ")
        return settle(*arguments, **options)

    monkeypatch.setattr(_command, "settle", meanwhile)
    run = toolroute("settle", file, "--in-place")
    assert run.status == 2
    assert "was changed by somebody else" in run.err
    assert file.read_text() == "[]  "
    assert names(file.parent) == ["t.json"]


def test_a_failed_replacement_leaves_the_file_and_no_litter(
    file: Path, toolroute: Toolroute, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    run = toolroute("settle", file, "--in-place")
    assert run.status == 2
    assert run.err == (
        f"toolroute: {file} can't be written: no space left on device.\n"
    )
    assert file.read_bytes() == before
    assert names(file.parent) == ["t.json", "t.json.bak"]


def test_out_is_written_whole_with_an_ordinary_mode(
    file: Path, settled: Any, toolroute: Toolroute
) -> None:
    out = file.with_name("out.json")
    run = toolroute("settle", file, "-o", out)
    assert (run.status, json.loads(out.read_text())) == (0, settled)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~mask
    assert f"written to {out}" in run.err
    assert names(file.parent) == ["out.json", "t.json"]


def test_out_keeps_the_mode_of_a_file_that_was_there(
    file: Path, toolroute: Toolroute
) -> None:
    out = file.with_name("out.json")
    out.write_text("old")
    out.chmod(0o604)
    toolroute("settle", file, "-o", out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o604


def test_out_refuses_the_file_itself_a_link_a_folder_and_a_missing_folder(
    file: Path, toolroute: Toolroute
) -> None:
    before = file.read_bytes()
    link = file.with_name("link.json")
    link.symlink_to(file.with_name("nowhere"))
    for out, words in (
        (file, "use --in-place"),
        (link, "is a symbolic link, and -o doesn't write through one"),
        (file.parent, "it's a folder"),
        (file.parent / "none" / "out.json", "there is no such folder"),
    ):
        run = toolroute("settle", file, "-o", out)
        assert (run.status, run.out) == (2, "")
        assert words in run.err
    assert file.read_bytes() == before
    assert names(file.parent) == ["link.json", "t.json"]


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(
    file: Path, toolroute: Toolroute
) -> None:
    before = file.read_bytes()
    for place in ((), ("--in-place",), ("-o", file.with_name("out.json"))):
        run = toolroute("settle", file, "--dry-run", *place)
        assert run.status == 0
        assert "open_valve" in run.out
        assert "nothing written (--dry-run)" in run.err
    assert file.read_bytes() == before
    assert names(file.parent) == ["t.json"]


def test_out_and_in_place_exclude_each_other(file: Path, toolroute: Toolroute) -> None:
    run = toolroute("settle", file, "--in-place", "-o", "x")
    assert run.status == 2
    assert "not allowed with" in run.err
