"""A file is written whole or not at all, and only where that was allowed."""

import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from toolroute_codegen.cli._trouble import Trouble
from toolroute_codegen.cli._write import (
    HEADER,
    Permissions,
    create,
    place_for,
    replaced,
    write,
)

NONE = Permissions()
OURS = f"{HEADER} from x\n"


def told(path: Path, root: Path, allowed: Permissions = NONE) -> str:
    with pytest.raises(Trouble) as stopped:
        replaced(place_for(path, root, allowed), allowed)
    return str(stopped.value)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".git")


def test_a_new_file_gets_the_usual_mode(folder: Path) -> None:
    old = os.umask(0o027)
    try:
        write(folder / "m.py", "x\r\n")
    finally:
        os.umask(old)
    assert (folder / "m.py").read_bytes() == b"x\r\n"
    assert stat.S_IMODE((folder / "m.py").stat().st_mode) == 0o640
    assert left(folder) == ["m.py"]


def test_a_replaced_file_keeps_its_mode(folder: Path) -> None:
    (folder / "m.py").write_text(OURS)
    (folder / "m.py").chmod(0o751)
    write(folder / "m.py", "new")
    assert (folder / "m.py").read_text() == "new"
    assert stat.S_IMODE((folder / "m.py").stat().st_mode) == 0o751


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_replaced_file_keeps_its_owner(folder: Path) -> None:
    (folder / "m.py").write_text(OURS)
    os.chown(folder / "m.py", 12345, 23456)
    write(folder / "m.py", "new")
    new = (folder / "m.py").stat()
    assert (new.st_uid, new.st_gid) == (12345, 23456)


def test_our_own_file_may_be_replaced(folder: Path) -> None:
    (folder / "m.py").write_text(OURS)
    assert replaced(folder / "m.py", NONE) == OURS


def test_our_own_file_with_a_mark_and_crlf_may_be_replaced(folder: Path) -> None:
    (folder / "m.py").write_bytes(b"\xef\xbb\xbf" + OURS.encode() + b"\r\n")
    assert replaced(folder / "m.py", NONE) == f"\ufeff{OURS}\r\n"


@pytest.mark.parametrize(
    "content", [b"", b"import os\n", b"\xff\xfe", b"\n" + b"# Gen"]
)
def test_another_file_is_not_replaced_unless_told_to(
    folder: Path, content: bytes
) -> None:
    (folder / "m.py").write_bytes(content)
    assert told(folder / "m.py", folder) == (
        "m.py isn't written: it is there, and toolroute didn't write it (its first "
        "line would say so). Name another file, or allow it with --overwrite."
    )
    replaced(folder / "m.py", Permissions(overwrite=True))


def test_a_symlink_is_not_followed_unless_told_to(folder: Path) -> None:
    (folder / "real.py").write_text(OURS)
    (folder / "m.py").symlink_to("real.py")
    assert told(folder / "m.py", folder) == (
        "m.py isn't written: m.py is a symlink. Name the place that it points to, "
        "or allow it with --follow-symlinks."
    )
    allowed = Permissions(follow_symlinks=True)
    assert place_for(folder / "m.py", folder, allowed) == folder / "real.py"


def test_a_symlinked_folder_in_the_project_is_not_followed(folder: Path) -> None:
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    assert told(folder / "link" / "m.py", folder) == (
        "link/m.py isn't written: link is a symlink. Name the place that it points "
        "to, or allow it with --follow-symlinks."
    )


def test_a_dangling_symlink_is_not_followed(folder: Path) -> None:
    (folder / "m.py").symlink_to("../elsewhere.py")
    assert told(folder / "m.py", folder).startswith(
        "m.py isn't written: m.py is a symlink."
    )


def test_following_a_symlink_does_not_allow_leaving_the_project(folder: Path) -> None:
    (folder / "link").symlink_to("..")
    allowed = Permissions(follow_symlinks=True)
    assert told(folder / "link" / "m.py", folder, allowed) == (
        f"link/m.py isn't written: it is outside the project, {folder}. "
        "Name a file in it, or allow it with --outside-project."
    )


def test_a_symlink_on_the_way_to_the_project_is_no_matter(folder: Path) -> None:
    way = folder.parent / "way"
    way.symlink_to(folder)
    assert place_for(way / "m.py", folder, NONE) == folder / "m.py"


@pytest.mark.parametrize("name", ["../m.py", "x/../../m.py", "/tmp/m.py"])  # noqa: S108
def test_the_project_is_not_left_unless_told_to(folder: Path, name: str) -> None:
    (folder / "x").mkdir()
    assert "it is outside the project" in told(folder / name, folder)
    allowed = Permissions(outside_project=True)
    real = Path(os.path.realpath(folder / name))
    assert place_for(folder / name, folder, allowed) == real


def test_two_dots_after_a_symlink_lead_where_the_system_leads(folder: Path) -> None:
    (folder.parent / "far" / "away").mkdir(parents=True)
    (folder / "link").symlink_to(folder.parent / "far" / "away")
    allowed = Permissions(follow_symlinks=True)
    assert "outside the project" in told(folder / "link/../m.py", folder, allowed)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/m.py", "no/m.py can't be written: there is no folder no. Make it first."),
        ("f/m.py", "f/m.py can't be written: f isn't a folder."),
        ("d", "d isn't written: it is there, and isn't a file."),
        ("a\0b", "a\\x00b can't be written: there is a NUL in its name."),
        ("x" * 300, f"{'x' * 300} can't be written: file name too long."),
        (
            "\x1b/m",
            "\\x1b/m can't be written: there is no folder \\x1b. Make it first.",
        ),
    ],
)
def test_a_place_that_cannot_be_written_is_told(
    folder: Path, name: str, words: str
) -> None:
    (folder / "f").touch()
    (folder / "d").mkdir()
    assert told(folder / name, folder) == words


def test_create_leaves_what_is_there(folder: Path) -> None:
    (folder / "r.yaml").write_text("mine")
    with pytest.raises(Trouble, match=r"r\.yaml isn't written: it is there already\."):
        create(folder / "r.yaml", "new")
    assert (folder / "r.yaml").read_text() == "mine"
    assert left(folder) == ["r.yaml"]


def test_create_works_where_there_are_no_hard_links(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    create(folder / "r.yaml", "new")
    assert (folder / "r.yaml").read_text() == "new"
    with pytest.raises(Trouble, match="it is there already"):
        create(folder / "r.yaml", "newer")
    assert (folder / "r.yaml").read_text() == "new"
    assert left(folder) == ["r.yaml"]


def in_a_process(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """`code` in a process of its own; `old` is at m.py, and `write` is there."""
    (folder / "m.py").write_text("old")
    setup = """\
        import os, resource, signal, sys
        from pathlib import Path
        from toolroute_codegen.cli._write import write
        from toolroute_codegen.cli._trouble import Trouble
        """
    script = textwrap.dedent(setup) + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_disk_that_is_full_leaves_the_old_file_whole(folder: Path) -> None:
    done = in_a_process(
        folder,
        """
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            write(Path.cwd() / "m.py", "new" * 100_000)
        except Trouble as told:
            print(told)
        """,
    )
    assert (done.stdout, done.stderr) == (
        "m.py can't be written: file too large. It is as it was.\n",
        "",
    )
    assert (folder / "m.py").read_text() == "old"
    assert left(folder) == ["m.py"]


@pytest.mark.skipif(os.geteuid() != 0, reason="starts as root, to be nobody")
def test_a_folder_that_is_read_only_leaves_the_old_file_whole(folder: Path) -> None:
    folder.chmod(0o755)
    done = in_a_process(
        folder,
        """
        os.setuid(65534)
        try:
            write(Path("m.py"), "new")
        except Trouble as told:
            print(told)
        """,
    )
    assert (done.stdout, done.stderr) == (
        "m.py can't be written: permission denied. It is as it was.\n",
        "",
    )
    assert (folder / "m.py").read_text() == "old"
    assert left(folder) == ["m.py"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_kill_before_the_rename_leaves_the_old_file_whole(
    folder: Path, step: str
) -> None:
    done = in_a_process(
        folder,
        f"""
        def kill(*_):
            os.kill(os.getpid(), signal.SIGKILL)

        os.{step} = Path.{step} = kill
        write(Path.cwd() / "m.py", "new" * 100_000)
        """,
    )
    assert done.returncode == -9
    assert (folder / "m.py").read_text() == "old"


def test_an_interrupt_leaves_the_old_file_and_nothing_beside_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "m.py").write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(folder / "m.py", "new")
    assert (folder / "m.py").read_text() == "old"
    assert left(folder) == ["m.py"]
