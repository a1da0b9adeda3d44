"""Each guarding line is taken out in turn, and its test is seen to fail.

A file NAME.mutants names a module of ours, and then, for each mutant, `@` a test, the
lines of the module that the test needs (`-`), and what stands there without (`+`).
"""

import compileall
import json
import os
import py_compile
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FAILED = (1, 2)
"""pytest's exit status when a test has run and failed, or was interrupted."""

Run = Callable[[str], tuple[int, str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks")


@dataclass(frozen=True)
class Mutant:
    """`cut` stands once in `module`; with `put` in its place, `test` fails."""

    module: str
    test: str
    cut: str
    put: str

    def __str__(self) -> str:
        return f"{Path(self.module).stem}-{self.test.partition('::')[2]}"


def _lines(block: str, mark: str) -> str:
    lines = (line for line in block.splitlines(keepends=True) if line[0] == mark)
    return "".join(line[1:] for line in lines)


def _read(file: Path) -> Iterator[Mutant]:
    head, *blocks = file.read_text().split("\n@ ")
    for block in blocks:
        test, _, rest = block.partition("\n")
        rest = rest.strip("\n") + "\n"
        yield Mutant(head[2:].strip(), test, _lines(rest, "-"), _lines(rest, "+"))


MUTANTS = [one for file in sorted(HERE.glob("*.mutants")) for one in _read(file)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The packages, to be changed without harm."""
    copy = tmp_path_factory.mktemp("mutants") / "runtime"
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "runtime", copy, ignore=leave)
    by_content = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(copy, quiet=2, invalidation_mode=by_content)
    yield copy
    shutil.rmtree(copy)


@pytest.fixture(scope="module")
def run(copy: Path) -> Iterator[Run]:
    """Runs one of the runtime's tests on the copy."""
    with subprocess.Popen(
        [sys.executable, str(HERE / "nursery.py")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as nursery:
        stdin, stdout = nursery.stdin, nursery.stdout
        assert stdin is not None
        assert stdout is not None

        def run(test: str) -> tuple[int, str]:
            file, _, name = test.partition("::")
            at = ROOT / "tests" / "runtime" / f"{file}.py"
            path = f"{at.with_name('test_' + at.name)}::{name}"
            stdin.write(json.dumps([str(copy), path]) + "\n")
            stdin.flush()
            status, words = json.loads(stdout.readline())
            return status, words

        yield run
        stdin.close()


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_without_its_line_the_test_fails(mutant: Mutant, copy: Path, run: Run) -> None:
    module = copy / mutant.module
    source = module.read_text()
    assert source.count(mutant.cut) == 1, "the line isn't there, or isn't the only one"
    module.write_text(source.replace(mutant.cut, mutant.put))
    try:
        status, words = run(mutant.test)
    finally:
        module.write_text(source)
    assert status in FAILED, words


def test_with_all_its_lines_a_test_passes(copy: Path, run: Run) -> None:
    assert run("life::test_the_table_is_the_designs")[0] == 0
    (copy / "toolroute" / "runtime" / "_life.py").rename(copy / "away")
    status, words = run("life::test_the_table_is_the_designs")
    (copy / "away").rename(copy / "toolroute" / "runtime" / "_life.py")
    assert status != 0, words
    shown = "/".join(copy.parts[-2:])  # a path may be told from where the tests run
    assert shown in words, "the copy isn't what is tested"


def test_a_test_and_what_it_started_end_with_the_run(tmp_path: Path) -> None:
    ended, held = os.pipe()
    test = tmp_path / "test_that_waits.py"
    test.write_text(f"""
import os, subprocess
def test_waits():
    with subprocess.Popen(["sleep", "60"], pass_fds=[{held}]):
        os.write({held}, b".")
""")
    with subprocess.Popen(
        [sys.executable, str(HERE / "nursery.py")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[held],
        text=True,
    ) as nursery:
        os.close(held)
        assert nursery.stdin is not None
        nursery.stdin.write(json.dumps([str(tmp_path), str(test)]) + "\n")
        nursery.stdin.flush()
        assert os.read(ended, 1) == b"."
    ready, _, _ = select.select([ended], [], [], 10)
    assert [os.read(each, 1) for each in ready] == [b""]
    os.close(ended)
