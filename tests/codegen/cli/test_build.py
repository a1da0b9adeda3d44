"""`toolroute build` writes the module, whole, and only where it may."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from toolroute_codegen.cli._starter import TABLE
from toolroute_codegen.compile import compile_table

Run: TypeAlias = Callable[..., tuple[int, str, str]]

COMMAND = [sys.executable, "-m", "toolroute"]
MODULE = compile_table(TABLE, "routes.yaml")
SETTINGS = '[tool.toolroute]\nsource = "routes.yaml"\noutput = "dispatch.py"\n'


def test_the_settings_table_is_built_to_the_settings_module(
    run: Run, project: Path
) -> None:
    assert run("build") == (0, "", "dispatch.py is written.\n")
    assert (project / "dispatch.py").read_bytes() == MODULE.encode()
    assert run("check") == (
        0,
        "",
        "routes.yaml is in order, and dispatch.py is up to date.\n",
    )


def test_it_is_built_from_a_folder_of_the_project_too(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(project / "deep" / "er")
    assert run("build")[0] == 0
    assert (project / "dispatch.py").read_bytes() == MODULE.encode()
    assert run("check")[0] == 0


def test_a_table_and_a_module_may_be_named(run: Run, folder: Path) -> None:
    (folder / "t.yaml").write_text(TABLE)
    (folder / "app").mkdir()
    assert run("build", "t.yaml", "--output", "app/d.py") == (
        0,
        "",
        "app/d.py is written.\n",
    )
    assert run("check", "t.yaml", "--output", "app/d.py")[0] == 0


def test_the_settings_module_is_not_built_from_another_table(
    run: Run, project: Path
) -> None:
    shutil.copy(project / "routes.yaml", project / "other.yaml")
    assert run("build", "other.yaml") == (
        2,
        "",
        (
            "toolroute: where to? No module was named. Name one: toolroute build "
            "other.yaml --output FILE\n"
        ),
    )
    assert run("check", "other.yaml") == (
        0,
        "",
        "other.yaml is in order. (With --output FILE, its module is looked at too.)\n",
    )


def test_the_settings_table_may_be_named_by_another_way(
    run: Run, project: Path
) -> None:
    assert run("build", str(project / "." / "routes.yaml"))[0] == 0
    assert (project / "dispatch.py").exists()


def test_a_build_that_changes_nothing_writes_nothing(run: Run, project: Path) -> None:
    assert run("build")[0] == 0
    os.utime(project / "dispatch.py", (1, 1))
    assert run("build") == (0, "", "dispatch.py is up to date.\n")
    assert (project / "dispatch.py").stat().st_mtime == 1


def test_a_crlf_checkout_is_fresh_and_stays_so(run: Run, project: Path) -> None:
    crlf = MODULE.replace("\n", "\r\n").encode()
    (project / "dispatch.py").write_bytes(crlf)
    (project / "routes.yaml").write_bytes(TABLE.replace("\n", "\r\n").encode())
    assert run("check")[0] == 0
    assert run("build") == (0, "", "dispatch.py is up to date.\n")
    assert (project / "dispatch.py").read_bytes() == crlf


def test_a_stale_crlf_module_is_renewed_with_crlf(run: Run, project: Path) -> None:
    (project / "dispatch.py").write_bytes(
        MODULE.replace("greet", "meet").replace("\n", "\r\n").encode()
    )
    assert run("build") == (0, "", "dispatch.py is written.\n")
    crlf = MODULE.replace("\n", "\r\n").encode()
    assert (project / "dispatch.py").read_bytes() == crlf


def test_a_module_of_somebody_elses_is_replaced_only_when_told_to(
    run: Run, project: Path
) -> None:
    (project / "dispatch.py").write_text("import mine\n")
    status, out, err = run("build")
    assert (status, out) == (2, "")
    assert "toolroute didn't write it" in err
    assert (project / "dispatch.py").read_text() == "import mine\n"
    assert run("build", "--overwrite")[0] == 0
    assert (project / "dispatch.py").read_text() == MODULE


def test_a_symlink_is_followed_only_when_told_to(run: Run, project: Path) -> None:
    (project / "real").mkdir()
    (project / "dispatch.py").symlink_to("real/d.py")
    assert run("build")[0] == 2
    assert not (project / "real" / "d.py").exists()
    assert run("build", "--follow-symlinks")[0] == 0
    assert (project / "real" / "d.py").read_text() == MODULE
    assert (project / "dispatch.py").is_symlink()


@pytest.mark.parametrize("option", [[], ["--overwrite"], ["--follow-symlinks"]])
def test_settings_cannot_write_outside_the_project(
    run: Run, project: Path, option: list[str]
) -> None:
    (project / "pyproject.toml").write_text(SETTINGS.replace('"dis', '"../dis'))
    status, out, err = run("build", *option)
    assert (status, out) == (2, "")
    assert "it is outside the project" in err
    assert [path.name for path in project.parent.iterdir()] == ["here"]
    assert run("build", "--outside-project")[0] == 0
    assert (project.parent / "dispatch.py").read_text() == MODULE


def test_a_table_outside_of_any_project_is_built_beside_itself(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "routes.yaml").write_text(TABLE)
    assert folder.is_dir()
    arguments = ["../far/routes.yaml", "--output", "../far/d.py"]
    assert run("build", *arguments)[0] == 0
    assert (tmp_path / "far" / "d.py").read_text() == MODULE


def test_another_projects_table_is_built_into_ones_own(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "pyproject.toml").touch()
    (tmp_path / "far" / "routes.yaml").write_text(TABLE)
    assert run("build", "../far/routes.yaml", "--output", "d.py")[0] == 0
    assert (folder / "d.py").read_text() == MODULE
    assert run("build", "../far/routes.yaml", "--output", "../d.py")[0] == 2


def test_a_hostile_tables_name_does_not_get_into_the_module_as_code(
    run: Run, folder: Path
) -> None:
    name = "x\nimport os\u2028\x0cprint(1)#\udcff.yaml"
    (folder / name).write_text(TABLE)
    assert run("build", name, "--output", "d.py")[0] == 0
    module = (folder / "d.py").read_text("utf-8")
    assert module.splitlines()[1:] == MODULE.splitlines()[1:]


def test_killed_builds_leave_the_module_whole(project: Path) -> None:
    """Whenever it is killed: the module is the old one, or the new one."""
    other = TABLE.replace("greet", "meet")
    wholes = {MODULE, compile_table(other, "routes.yaml")}
    (project / "dispatch.py").write_text(MODULE)
    for at in range(6):
        (project / "routes.yaml").write_text((other, TABLE)[at % 2])
        process = subprocess.Popen([*COMMAND, "build"], stderr=subprocess.DEVNULL)
        time.sleep(0.1 * at)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        assert (project / "dispatch.py").read_text() in wholes
