"""Tables made in tests, and the modules that they become, imported."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render
from toolroute_codegen.table import Table

ROOT = Path(__file__).parents[2]


def table_of(written: Mapping[str, Any], filename: str = "routes.yaml") -> Table:
    """The table that says this, whatever rules it breaks."""
    return parse(load(as_yaml(written), filename))


def as_yaml(written: Mapping[str, Any]) -> str:
    """A table as a file: JSON, with escapes that YAML knows."""
    text = json.dumps(written, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\U{ord(found[0]):08x}", text)


_UNSEEN = re.compile(r"[^\x20-\x7e]")


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
    text = (ROOT / "routes.yaml").read_text(encoding="utf-8")
    return parse(load(text, "routes.yaml"))
