"""Everything at once, in any order: every call gets exactly one answer, a true one."""

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    run_state_machine_as_test,
)
from machine import Machine

from toolroute import Road
from toolroute.runtime import (
    Ledger,
    MemoryLedger,
    SqliteLedger,
)

STEPS = 50
LEAST = 10_000
"""Steps that are to be taken, on each ledger."""

SEEN = {
    *itertools.product(get_args(Road), ("returned", "outcome_unknown", "refused")),
    *itertools.product(("turn", "host", "module", "script"), ("late",)),
    *(("turn", "not_executed"), ("script", "not_executed")),
    *(("host", "failed"), ("module", "bad_arguments")),
}
"""What has to have been seen, or the machine shows nothing."""


@contextmanager
def _memory() -> Iterator[Ledger]:
    yield MemoryLedger(keep=100_000)


@contextmanager
def _sqlite() -> Iterator[Ledger]:
    with (
        tempfile.TemporaryDirectory() as folder,
        SqliteLedger(Path(folder) / "calls.ledger") as ledger,
    ):
        yield ledger


@pytest.mark.parametrize("ledger", [_memory, _sqlite])
def test_every_call_gets_exactly_one_answer_of_the_true_kind(ledger: Any) -> None:
    made = {"ledger": staticmethod(ledger), "steps": 0, "seen": set()}
    machine: Any = type("Machine", (Machine,), made)
    unhurried = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=LEAST // STEPS * 3 // 2,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=unhurried,
        ),
    )
    assert machine.steps >= LEAST
    assert machine.seen >= SEEN
