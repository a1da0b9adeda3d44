"""Tables that are accepted, and the module that each becomes.

`pytest tests/codegen/test_accepted.py --snapshot-update` renews the modules.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from goldens import ACCEPTED, BesideItsTable
from modules import ROOT, imported, root_table
from syrupy.assertion import SnapshotAssertion

from toolroute.routing import Matched
from toolroute_codegen.compile import compile_table
from toolroute_codegen.names import MODULE_NAMES, class_name
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render

TABLES = sorted(ACCEPTED.glob("*.yaml"))
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
each_module = pytest.mark.parametrize(
    "module",
    [
        *(table.with_suffix(".py") for table in TABLES),
        ROOT / "runtime/toolroute_host/dispatch.py",
    ],
    ids=lambda module: module.stem,
)


@each_table
def test_a_table_becomes_the_module_beside_it(
    table: Path, snapshot: SnapshotAssertion
) -> None:
    text = compile_table(table.read_text(encoding="utf-8"), table.name)
    assert text == snapshot(extension_class=BesideItsTable)


def test_no_module_is_without_its_table() -> None:
    modules = sorted(module.stem for module in ACCEPTED.glob("*.py"))
    assert modules == [table.stem for table in TABLES]


def test_the_root_tables_module_is_the_one_that_is_committed() -> None:
    committed = ROOT / "runtime/toolroute_host/dispatch.py"
    assert render(plan(root_table())) == committed.read_text(encoding="utf-8")


def test_the_root_tables_routes_and_words(snapshot: SnapshotAssertion) -> None:
    module = imported(render(plan(root_table())))
    assert snapshot == module.ORDER
    assert snapshot == {
        refusal.id: (refusal.code, refusal.retry, refusal.text)
        for refusal in module.REFUSALS.values()
    }


@each_table
def test_building_twice_gives_the_same_text(table: Path) -> None:
    text = table.read_text(encoding="utf-8")
    assert compile_table(text, table.name) == compile_table(text, table.name)


def test_modules_are_formatted_as_they_stand() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", ACCEPTED],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.returncode) == ("", 0)


@each_module
def test_a_module_names_nothing_but_its_tables_words_and_its_own(module: Path) -> None:
    made = imported(module.read_text(encoding="utf-8"))
    public = {name for name in vars(made) if not name.startswith("_")}
    kinds = {class_name(kind) for kind in made.ORDER}
    assert public - kinds - set(made.REFUSALS) <= MODULE_NAMES
    assert set(made.__all__) == {
        *(kinds | set(made.REFUSALS)),
        *("Caller", "ClientRoute", "FINGERPRINT", "Handlers", "Host", "ORDER"),
        *("REFUSALS", "Route", "ServerRoute", "bind", "decide", "dispatch", "surface"),
    }


@each_module
def test_a_kinds_class_is_what_the_table_says(module: Path) -> None:
    made = imported(module.read_text(encoding="utf-8"))
    for kind in made.ORDER:
        cls = getattr(made, class_name(kind))
        assert issubclass(cls, Matched)
        assert cls.kind == kind
        assert not hasattr(cls.__new__(cls), "__dict__")
