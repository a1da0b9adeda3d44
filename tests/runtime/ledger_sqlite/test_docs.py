"""What docs/ledger.md says is so."""

import re
from pathlib import Path
from typing import get_args

import pytest

from toolroute.runtime import LedgerErrorKind

DOCS = (Path(__file__).parents[3] / "docs" / "ledger.md").read_text()


def test_its_example_runs(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)
    monkeypatch.chdir(path.parent)
    exec(example, {})  # noqa: S102 -- the docs' own
    assert path.exists()
    assert capsys.readouterr().out == ""


def test_it_tells_every_kind_of_error() -> None:
    rows = [line for line in DOCS.splitlines() if line.startswith("| `")]
    told = [kind for row in rows for kind in re.findall(r"`([\w-]+)`", row)]
    assert sorted(told) == sorted(get_args(LedgerErrorKind))
