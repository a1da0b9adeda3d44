"""What a folder refuses, and what stands in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from toolroute_host._folder import PathError

ENOUGH = 1_000_000


def words(ask: Callable[[], object]) -> str:
    with pytest.raises(PathError) as refused:
        ask()
    return str(refused.value)


def names(root: Path) -> list[str]:
    return sorted(each.name for each in root.iterdir())
