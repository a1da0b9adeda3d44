"""Tables made in tests, and the modules that they become, imported."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from toolroute_codegen.diagnostics import Place
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render
from toolroute_codegen.table import Table, Written

ROOT = Path(__file__).parents[2]


def table_of(written: Mapping[str, Any], filename: str = "routes.yaml") -> Table:
    """A table without a file: what its places are doesn't matter here."""
    model = Written.model_validate_json(json.dumps(written))
    return Table(filename, "", model, _nowhere, _nowhere)


def text_of(written: Mapping[str, Any], filename: str = "routes.yaml") -> str:
    """The module that this table becomes."""
    return render(plan(table_of(written, filename)))


def imported(text: str, name: str = "generated") -> ModuleType:
    """A module with this text."""
    module = ModuleType(name)
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)  # noqa: S102 - its test
    return module


@cache
def root_table() -> Table:
    """The project's own table."""
    from toolroute_codegen.load import load  # noqa: PLC0415
    from toolroute_codegen.parse import parse  # noqa: PLC0415

    text = (ROOT / "routes.yaml").read_text(encoding="utf-8")
    return parse(load(text, "routes.yaml"))


def _nowhere(path: object) -> Place:
    del path
    return Place(1, 1)
