"""Routes that share a kind carry the same things, whatever order they name them in."""

from types import SimpleNamespace

from judging import completed, judged
from modules import imported

from toolroute import ToolCall
from toolroute_codegen.compile import compile_table

TABLE = completed(
    "capabilities: {a: {type: 'x:A'}, b: {type: 'x:B'}, flag: {}}\n"
    "routes:\n"
    "  - {kind: one, names: [n], requires: [a, flag, b]}\n"
    "  - {kind: one, prefix: m_, requires: [b, a, flag]}\n"
)


def test_both_orders_give_the_handler_the_same() -> None:
    assert judged(TABLE) == ()
    module = imported(compile_table(TABLE, "routes.yaml"))
    host = SimpleNamespace(a="an A", b="a B", flag=True)
    for name in ("n", "m_x"):
        route = module.decide(ToolCall("", name), "turn", host)
        assert (route.a, route.b) == ("an A", "a B")
