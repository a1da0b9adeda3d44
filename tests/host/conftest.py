from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolroute_host.store import Store


class Hands:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at

    def pass_(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


@pytest.fixture
def reopened(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens one file again and again; the store before is closed, as by a restart."""
    opened: list[Store] = []

    def again() -> Store:
        for before in opened:
            before.close()
        opened.append(Store(tmp_path / "host.db"))
        return opened[-1]

    yield again
    for each in opened:
        each.close()
