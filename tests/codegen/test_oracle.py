"""The generated `decide` and `surface` say what the interpreter says, on any table."""

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modules import imported, table_of, text_of
from tables import SENT, answers, tables
from worlds import AHost, Answers, AWorld, read, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter
from toolroute_codegen.table import Table

CALLED = {"of": "the call"}
MOMENTS = (None, True, False)


@pytest.fixture(autouse=True, scope="module")
def quiet() -> Iterator[None]:
    """Hosts raise here by the thousand, and each time that is logged."""
    logging.getLogger("toolroute").disabled = True
    yield
    logging.getLogger("toolroute").disabled = False


@settings(deadline=None)
@given(written=tables(), seed=st.integers(0, 2**32))
def test_a_generated_module_decides_as_the_interpreter_does(
    written: dict[str, Any], seed: int
) -> None:
    table, module, random = table_of(written), imported(text_of(written)), Random(seed)  # noqa: S311 - for tests
    for _ in range(3):
        answered = answers(written, random)
        for name in SENT:
            call = ToolCall("id", name, CALLED)
            for caller in table.written.callers:
                _decides_the_same(
                    table, module, call, caller, answered, random.choice(MOMENTS)
                )


def _decides_the_same(
    table: Table,
    module: Any,
    call: ToolCall,
    caller: str,
    answered: Answers,
    in_turn: bool | None,  # noqa: FBT001 - as `decide` has it
) -> None:
    host, world = AHost(answered, table.written), AWorld(answered)
    decided = seen(module.decide(call, caller, host, in_turn), table)
    expected = read(interpreter.decide(table, call, caller, world, in_turn))
    assert decided == expected, (call, caller, in_turn, answered)
    if "{near}" not in table.written.refusals["unknown"].text:
        assert host.asked == world.asked
        assert len(host.reads) == len(set(host.reads))


@settings(deadline=None)
@given(written=tables(), seed=st.integers(0, 2**32))
def test_a_surface_is_the_interpreters(written: dict[str, Any], seed: int) -> None:
    table, module, random = table_of(written), imported(text_of(written)), Random(seed)  # noqa: S311 - for tests
    for _ in range(3):
        answered = answers(written, random)
        for caller in table.written.callers:
            names = module.surface(caller, AHost(answered, table.written))
            assert names == interpreter.surface(table, caller, AWorld(answered))
            assert len(names) == len(set(names))
