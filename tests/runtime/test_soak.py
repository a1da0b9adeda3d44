"""A short soak; benchmarks/runtime_soak.py makes a million calls."""

import asyncio
import gc
import importlib.util
import threading
import tracemalloc
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "runtime_soak.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("runtime_soak", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_memory_is_flat_and_nothing_is_left_behind(script: ModuleType) -> None:
    sizes: list[int] = []
    threads = threading.active_count()
    gc.collect()
    tracemalloc.start()
    try:
        left = asyncio.run(
            script.soak(
                8_000, lambda _: sizes.append(tracemalloc.get_traced_memory()[0])
            )
        )
    finally:
        tracemalloc.stop()
    assert left == []
    assert len(sizes) == script.LOOKS
    assert sizes[-1] < sizes[3] * 1.05 + 20_000
    assert threading.active_count() == threads
