"""What a generated module is, besides its decisions."""

import copy
import inspect
from typing import Any

import pytest
from modules import ROOT, imported, root_table, table_of, text_of
from test_generated_decides import GATE, GATED, THINK, module_of, table

from toolroute import Refusal, ToolCall, ToolResult
from toolroute.routing import Bound, ClientPlane, ServerPlane
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render
from toolroute_codegen.table import as_written
from toolroute_host import dispatch

COMMITTED = (ROOT / "runtime/toolroute_host/dispatch.py").read_text(encoding="utf-8")
ROOT_TABLE: dict[str, Any] = as_written(root_table().written)


def test_the_copy_of_the_root_table_is_the_root_table() -> None:
    bare = table_of(ROOT_TABLE)
    assert bare.written == root_table().written
    assert render(plan(bare)) == COMMITTED


@pytest.mark.parametrize("at", range(len(ROOT_TABLE["routes"]) - 1))
def test_swapping_two_routes_makes_another_module(at: int) -> None:
    swapped = copy.deepcopy(ROOT_TABLE)
    routes = swapped["routes"]
    routes[at], routes[at + 1] = routes[at + 1], routes[at]
    text = text_of(swapped)
    assert text != COMMITTED
    assert imported(text).ORDER != dispatch.ORDER
    assert imported(text).FINGERPRINT != dispatch.FINGERPRINT


@pytest.mark.parametrize("refusal", ROOT_TABLE["refusals"])
def test_one_letter_of_a_text_makes_another_module(refusal: str) -> None:
    changed = copy.deepcopy(ROOT_TABLE)
    words = changed["refusals"][refusal]
    words["text"] = words["text"].replace("o", "0", 1)
    text = text_of(changed)
    assert text != COMMITTED
    assert imported(text).REFUSALS[refusal].text != dispatch.REFUSALS[refusal].text
    assert imported(text).FINGERPRINT != dispatch.FINGERPRINT


def test_a_refusals_function_takes_each_placeholder_by_name() -> None:
    parameters = inspect.signature(dispatch.fork_cannot_publish).parameters.values()
    assert [(each.name, each.kind.name) for each in parameters] == [
        ("home", "KEYWORD_ONLY"),
        ("channel", "KEYWORD_ONLY"),
    ]
    assert dispatch.fork_cannot_publish(home="a", channel="b\n") == Refusal(
        "fork_cannot_publish",
        "TOOL_REFUSED",
        "with-changes",
        "This conversation is bound to channel a; publishing to b\\n is not allowed.",
    )


def test_refusals_have_the_tables_words() -> None:
    written = root_table().written
    assert {
        refusal.id: (refusal.code, refusal.retry, refusal.text)
        for refusal in dispatch.REFUSALS.values()
    } == {name: (r.code, r.retry, r.text) for name, r in written.refusals.items()}


def test_order_is_the_kind_of_each_route() -> None:
    kinds = [route.kind for route in root_table().written.routes]
    assert list(dispatch.ORDER) == kinds


class Everything:
    """Handlers that say which of them was called, with what."""

    def __getattr__(self, kind: str) -> Any:
        return lambda route, context: (kind, route, context)


def test_dispatch_calls_the_handler_of_the_routes_kind() -> None:
    handlers: Any = Everything()
    for route in root_table().written.routes:
        cls = getattr(dispatch, route.kind.title().replace("_", ""))
        made = cls.__new__(cls)
        assert dispatch.dispatch(made, "context", handlers) == (
            *(route.kind, made, "context"),
        )


def test_dispatch_of_what_isnt_a_route_is_our_own_bug() -> None:
    nothing: Any = object()
    handlers: Any = Everything()
    with pytest.raises(AssertionError):
        dispatch.dispatch(nothing, None, handlers)


def test_bind_puts_the_module_and_the_handlers_together() -> None:
    module = module_of(
        THINK,
        guard="first",
        guards={"first": {"sees": "agent", "refuses": ["said_no"]}},
    )

    class Handlers:
        def think(self, route: Any, context: Any) -> ToolResult:
            return ToolResult([route.call.name, context])

    bound = module.bind(Handlers())
    assert isinstance(bound, Bound)
    assert bound.decide is module.decide
    assert bound.surface is module.surface
    assert bound.roads == {"turn": "turn", "host": "host"}
    assert bound.guards == {"first"}
    assert bound.fingerprint == module.FINGERPRINT
    route = module.Think(ToolCall("1", "think"))
    assert bound.run(route, "context") == ToolResult(["think", "context"])


def test_a_kind_is_on_the_plane_that_the_table_says() -> None:
    paged = {"kind": "paged", "names": ["p"], "plane": "client", "off_turn": "said_no"}
    module = module_of(THINK, {**paged, "ends_turn": True})
    assert issubclass(module.Think, ServerPlane)
    assert issubclass(module.Paged, ClientPlane)
    assert (module.Think.ends_turn, module.Paged.ends_turn) == (False, True)
    assert (module.Think.plane, module.Paged.plane) == ("server", "client")


def test_a_call_is_handed_out_to_a_turn_only() -> None:
    paged = {"kind": "paged", "names": ["p"], "plane": "client", "off_turn": "said_no"}
    callers = {road: {"road": road} for road in ("turn", "script", "host", "puppet")}
    module = module_of(paged, callers=callers)
    call = ToolCall("1", "p")
    kinds = {
        (caller, in_turn): isinstance(
            module.decide(call, caller, object(), in_turn), module.Paged
        )
        for caller in callers
        for in_turn in (None, True, False)
    }
    assert [key for key, taken in kinds.items() if taken] == [
        ("turn", None),
        ("turn", True),
    ]


def test_a_route_is_equal_by_class_and_fields_and_cant_be_changed() -> None:
    module = module_of(GATED, THINK, capabilities=GATE)
    call = ToolCall("1", "gated")
    route = module.Gated(call, "gate")
    assert route == module.Gated(ToolCall("1", "gated"), "gate")
    assert hash(route) == hash(module.Gated(call, "gate"))
    assert route != module.Gated(call, "other gate")
    assert route != module.Think(call)
    assert repr(route) == f"Gated({call!r}, 'gate')"
    for name in ("call", "gate", "new"):
        with pytest.raises(AttributeError):
            setattr(route, name, "changed")


def test_a_module_for_another_format_says_which_side_to_upgrade() -> None:
    text = text_of(table(THINK))
    with pytest.raises(
        ImportError, match=r"format 2.*reads format 1: upgrade toolroute"
    ):
        imported(text.replace("speaks(1)", "speaks(2)"))
    with pytest.raises(
        ImportError, match=r"format 0.*generate it again with `toolroute"
    ):
        imported(text.replace("speaks(1)", "speaks(0)"))


def test_what_a_later_module_asks_for_says_which_side_to_upgrade() -> None:
    text = text_of(table(THINK))
    with pytest.raises(
        ImportError, match=r"has no toolroute\.routing\.later: .*upgrade"
    ):
        imported(text.replace("    speaks,\n", "    speaks,\n    later,\n"))


def test_types_with_names_that_are_taken_are_imported_under_others() -> None:
    capabilities = {
        "think": {"type": "one.place:Think"},
        "other": {"type": "another.place:Think"},
        "inside_": {"type": "a.place:Outer.Inner"},
        "plain": {"type": "builtins:str"},
        "string": {"type": "s.place:str"},
        "lengthy": {"type": f"l.place:{'Long' * 20}"},
    }
    route = {"kind": "think", "names": ["think"], "requires": list(capabilities)}
    text = text_of(table(route, capabilities=capabilities))
    compile(text, "generated", "exec")
    for line in (
        "    from a.place import Outer\n",
        "    from another.place import Think as _Think_3\n",
        "    from one.place import Think as _Think_2\n",
        "    def think(self) -> _Think_2:\n",
        "    def other(self) -> _Think_3:\n",
        "    def inside_(self) -> Outer.Inner:\n",
        "    def plain(self) -> str:\n",
        "    def string(self) -> _str_2:\n",
    ):
        assert line in text


def test_a_table_in_another_folder_becomes_the_same_module() -> None:
    written = table(THINK)
    assert text_of(written, "some/where/routes.yaml") == text_of(written, "routes.yaml")


def test_a_modules_length_grows_with_its_rows_alone() -> None:
    few, many = (
        text_of(table(*({"kind": "one", "names": [f"n{at}"]} for at in range(count))))
        for count in (10, 1000)
    )
    lines = len(many.splitlines()) - len(few.splitlines())
    assert lines == 2 * (1000 - 10)
