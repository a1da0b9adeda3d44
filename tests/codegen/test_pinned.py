"""What the snapshots pin is moved by a swap of two routes, and by one letter."""

import re
from pathlib import Path

import pytest
from modules import ROOT, imported

from toolroute_codegen.compile import compile_table

TABLE = (ROOT / "routes.yaml").read_text(encoding="utf-8")
PINNED = Path(__file__).parent / "__snapshots__" / "test_accepted.ambr"
COMMITTED = (ROOT / "runtime/toolroute_host/dispatch.py").read_text(encoding="utf-8")


def _pins(text: str) -> bool:
    """Whether the snapshot of the root table's order and words is this module's."""
    module = imported(text)
    order = "".join(f"    {kind!r},\n" for kind in module.ORDER)
    words = [repr(refusal.text) for refusal in module.REFUSALS.values()]
    pinned = PINNED.read_text(encoding="utf-8")
    return f"tuple(\n{order}  )" in pinned and all(word in pinned for word in words)


def test_the_root_table_as_it_is_holds() -> None:
    assert _pins(COMMITTED)
    assert compile_table(TABLE, "routes.yaml") == COMMITTED


def test_two_routes_swapped_are_seen() -> None:
    before, *routes = re.split(r"(?m)^(?=  - kind: )", TABLE)
    last, end = routes[-1].split("\n\n", 1)
    kinds = [route.split()[2] for route in routes]
    one, other = kinds.index("gate_status"), kinds.index("tune_out")
    routes[-1] = f"{last}\n"
    routes[one], routes[other] = routes[other], routes[one]
    text = compile_table(f"{before}{''.join(routes)}\n{end}", "routes.yaml")
    assert sorted(imported(text).ORDER) == sorted(kinds)
    assert text != COMMITTED
    assert not _pins(text)


@pytest.mark.parametrize("letter", ["Invalid tool name", "Tool '{name}' is not"])
def test_a_letter_of_a_text_changed_is_seen(letter: str) -> None:
    changed = re.sub(letter, letter.replace("o", "0", 1), TABLE, count=1)
    assert changed != TABLE
    text = compile_table(changed, "routes.yaml")
    assert text != COMMITTED
    assert not _pins(text)
