"""`toolroute init` writes a table and the settings that name it, and over nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from toolroute_codegen.cli._starter import TABLE

Run: TypeAlias = Callable[..., tuple[int, str, str]]

SECTION = '[tool.toolroute]\nsource = "routes.yaml"\noutput = "dispatch.py"\n'


def written(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_an_empty_folder_gets_a_table_and_settings(folder: Path, run: Run) -> None:
    assert run("init") == (
        0,
        "",
        (
            "pyproject.toml: [tool.toolroute] names the table and its module.\n"
            "routes.yaml is written. Next, to compile it to dispatch.py:\n"
            "  toolroute build\n"
        ),
    )
    assert written(folder) == {"pyproject.toml": SECTION, "routes.yaml": TABLE}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[project]\nname = "x"\n', '[project]\nname = "x"\n\n' + SECTION),
        ("[tool.ruff]\nx = 1", "[tool.ruff]\nx = 1\n\n" + SECTION),
        ("", SECTION),
        ("x = 1\r\n", "x = 1\r\n\r\n" + SECTION.replace("\n", "\r\n")),
    ],
)
def test_the_settings_are_added_to_what_is_there(
    folder: Path, run: Run, old: str, new: str
) -> None:
    (folder / "pyproject.toml").write_bytes(old.encode())
    (folder / "pyproject.toml").chmod(0o600)
    assert run("init")[0] == 0
    assert (folder / "pyproject.toml").read_bytes().decode() == new
    assert (folder / "pyproject.toml").stat().st_mode & 0o777 == 0o600


def test_settings_that_are_there_are_taken_and_left_alone(
    folder: Path, run: Run
) -> None:
    old = '[tool.toolroute]\nsource = "a/r.yaml"\noutput = "a/d.py"\n'
    (folder / "pyproject.toml").write_text(old)
    (folder / "a").mkdir()
    assert run("init") == (
        0,
        "",
        "a/r.yaml is written. Next, to compile it to a/d.py:\n  toolroute build\n",
    )
    assert written(folder) == {"pyproject.toml": old, "a/r.yaml": TABLE}


def test_a_table_that_the_settings_do_not_name_is_built_by_name(
    folder: Path, run: Run
) -> None:
    (folder / "pyproject.toml").write_text(SECTION)
    assert run("init", "my routes.yaml", "--output", "d.py") == (
        0,
        "",
        (
            "my routes.yaml is written. Next, to compile it to d.py:\n"
            "  toolroute build 'my routes.yaml' --output d.py\n"
        ),
    )


def test_in_a_folder_of_the_project_its_settings_are_added(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pyproject.toml").write_text("")
    (folder / "app").mkdir()
    monkeypatch.chdir(folder / "app")
    assert run("init")[0] == 0
    assert written(folder) == {
        "app/routes.yaml": TABLE,
        "pyproject.toml": (
            '[tool.toolroute]\nsource = "app/routes.yaml"\noutput = "app/dispatch.py"\n'
        ),
    }


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (
            {"routes.yaml": "mine"},
            (
                "routes.yaml is there already, and init overwrites nothing. "
                "Name another file: toolroute init TABLE"
            ),
        ),
        (
            {"dispatch.py": "mine"},
            (
                "dispatch.py isn't written: it is there, and toolroute didn't write it "
                "(its first line would say so). Name another file: toolroute init "
                "--output FILE"
            ),
        ),
        (
            {"pyproject.toml": "x = "},
            (
                "pyproject.toml:1: from here on this isn't TOML, so [tool.toolroute] "
                "can't be read. Mend this line, or the one before it."
            ),
        ),
        (
            {"pyproject.toml": "tool = {ruff = {}}"},
            (
                "pyproject.toml can't take a section at its end. Nothing was written; "
                f"put this into it yourself, then call init again:\n\n{SECTION}"
            ),
        ),
    ],
    ids=["table", "module", "unreadable settings", "settings that can't be added to"],
)
def test_nothing_is_overwritten_and_nothing_half_done(
    folder: Path, run: Run, files: dict[str, str], told: str
) -> None:
    for name, content in files.items():
        (folder / name).write_text(content)
    assert run("init") == (2, "", f"toolroute: {told}\n")
    assert written(folder) == files


def test_a_dangling_symlink_is_not_written_through(folder: Path, run: Run) -> None:
    (folder / "routes.yaml").symlink_to("elsewhere.yaml")
    told = run("init")
    assert told[:2] == (2, "")
    assert "routes.yaml is a symlink" in told[2]
    assert written(folder) == {}


def test_settings_behind_a_symlink_are_not_written(folder: Path, run: Run) -> None:
    (folder / "real.toml").write_text("")
    (folder / "pyproject.toml").symlink_to("real.toml")
    assert "pyproject.toml is a symlink" in run("init")[2]
    assert written(folder)["real.toml"] == ""
    assert not (folder / "routes.yaml").exists()


def test_settings_that_cannot_be_written_leave_no_table_behind(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pyproject.toml").write_text("")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert run("init") == (
        2,
        "",
        (
            "toolroute: pyproject.toml can't be written: no space left on device. "
            "It is as it was.\n"
        ),
    )
    assert written(folder) == {"pyproject.toml": ""}


def test_the_project_is_not_left(folder: Path, run: Run) -> None:
    told = run("init", "../routes.yaml")
    assert told == (
        2,
        "",
        (
            "toolroute: ../routes.yaml isn't written: it is outside the project, "
            f"{folder}. Name a file in it, or allow it with --outside-project.\n"
        ),
    )
    assert [path.name for path in folder.parent.iterdir()] == ["here"]
