"""What is generated stands as the formatter would have it, whatever the table says."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from dressing import dressed
from hypothesis import HealthCheck, Phase, given, settings
from modules import text_of


def test_a_generated_module_is_formatted_as_it_stands(tmp_path: Path) -> None:
    texts: list[str] = []

    @settings(
        deadline=None,
        max_examples=150,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(dressed())
    def draw(written: dict[str, Any]) -> None:
        texts.append(text_of(written))

    draw()
    for at, text in enumerate(texts):
        compile(text, "generated", "exec")
        (tmp_path / f"m{at}.py").write_text(text, encoding="utf-8")
    assert formatted(tmp_path) == ""


def formatted(folder: Path) -> str:
    """What the formatter would change, in a diff: nothing, for files as it has them."""
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout
