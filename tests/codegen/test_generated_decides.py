"""What a generated module does with calls that the oracle's tables seldom make."""

from types import SimpleNamespace
from typing import Any

import pytest
from modules import imported, text_of

from toolroute import ProtocolError, Refusal, ToolCall

REFUSALS = {
    "unknown": {"code": "NO_SUCH_TOOL", "retry": "no", "text": "No {name}."},
    "said_no": {"code": "TOOL_REFUSED", "retry": "no", "text": "Not {name}."},
}


def table(*routes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A small table with these routes."""
    return {
        "version": 1,
        "callers": {"turn": {"road": "turn"}, "host": {"road": "host"}},
        "refusals": REFUSALS,
        "routes": list(routes),
        "otherwise": "unknown",
        **more,
    }


def module_of(*routes: dict[str, Any], **more: Any) -> Any:
    """The module that this table becomes."""
    return imported(text_of(table(*routes, **more)))


def refused(name: str) -> Refusal:
    """The `otherwise` refusal of `name`."""
    return Refusal("unknown", "NO_SUCH_TOOL", "no", f"No {name}.")


def unchecked(name: str) -> Refusal:
    """The refusal of a call that couldn't be checked."""
    text = f"{name} couldn't be checked, so nothing was done."
    return Refusal("check_failed", "CHECK_FAILED", "yes", text)


THINK = {"kind": "think", "names": ["think"]}
GATED = {"kind": "gated", "names": ["gated"], "requires": ["gate"]}
GATE = {"gate": {"type": "pathlib:Path"}}
CHECKED = {"kind": "checked", "names": ["checked"], "guard": "check"}
CHECK = {"check": {"sees": "input", "refuses": ["said_no"]}}
OWNED = {"kind": "owned", "lookup": "owner"}
OWNER = {"owner": {"type": "pathlib:Path", "refuses": ["said_no"]}}
CARRIER = {"kind": "carrier", "names": ["carrier"], "unwrap": "inner"}
INNER: dict[str, Any] = {"inner": {}}


def test_a_caller_that_the_table_doesnt_have_is_the_hosts_mistake() -> None:
    module = module_of(THINK)
    for in_turn in (None, True, False):
        with pytest.raises(ProtocolError, match="the table has no caller 'nobody'"):
            module.decide(ToolCall("1", "think"), "nobody", object(), in_turn)
    with pytest.raises(ProtocolError, match="the table has no caller 'nobody'"):
        module.surface("nobody", object())


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_stops_a_program_isnt_taken_for_an_answer(
    stop: type[BaseException],
) -> None:
    class Stopping:
        @property
        def gate(self) -> None:
            raise stop

    module = module_of(GATED, capabilities=GATE)
    with pytest.raises(stop):
        module.decide(ToolCall("1", "gated"), "turn", Stopping())
    with pytest.raises(stop):
        module.surface("turn", Stopping())


def test_a_host_without_a_member_refuses_what_needs_it() -> None:
    module = module_of(GATED, THINK, capabilities=GATE)
    host = object()
    assert module.decide(ToolCall("1", "gated"), "turn", host) == unchecked("gated")
    assert module.decide(ToolCall("1", "think"), "turn", host).kind == "think"


async def _later() -> None:
    return None


@pytest.mark.parametrize(
    "answer",
    [
        True,
        False,
        "no",
        0,
        Refusal("other", "TOOL_REFUSED", "no", "nobody declared this"),
        Refusal("said_no", "OTHER_CODE", "no", "Not checked."),
        Refusal("said_no", "TOOL_REFUSED", "yes", "Not checked."),
    ],
)
def test_a_guards_answer_that_it_didnt_declare_refuses_the_call(answer: Any) -> None:
    module = module_of(CHECKED, guards=CHECK)
    host = SimpleNamespace(check=lambda *_: answer)
    call = ToolCall("1", "checked")
    assert module.decide(call, "turn", host) == unchecked("checked")


def test_a_guard_that_is_a_coroutine_refuses_the_call() -> None:
    module = module_of(CHECKED, guards=CHECK)
    coming = _later()
    host = SimpleNamespace(check=lambda *_: coming)
    call = ToolCall("1", "checked")
    assert module.decide(call, "turn", host) == unchecked("checked")
    coming.close()


def test_a_guards_own_refusal_is_given_as_it_is() -> None:
    module = module_of(CHECKED, guards=CHECK)
    host = SimpleNamespace(check=lambda _, caller: module.said_no(name=caller))
    said = Refusal("said_no", "TOOL_REFUSED", "no", "Not host.")
    assert module.decide(ToolCall("1", "checked"), "host", host) == said


@pytest.mark.parametrize(
    "answer", [True, False, Refusal("unknown", "NO_SUCH_TOOL", "no", "No owned.")]
)
def test_a_lookups_answer_that_it_didnt_declare_refuses_the_call(answer: Any) -> None:
    module = module_of(OWNED, lookups=OWNER)
    host = SimpleNamespace(owner=lambda _: answer)
    assert module.decide(ToolCall("1", "owned"), "turn", host) == unchecked("owned")


def test_a_lookup_that_is_a_coroutine_refuses_the_call() -> None:
    module = module_of(OWNED, lookups=OWNER)
    coming = _later()
    host = SimpleNamespace(owner=lambda _: coming)
    assert module.decide(ToolCall("1", "owned"), "turn", host) == unchecked("owned")
    coming.close()


def test_a_target_that_counts_as_false_is_a_target() -> None:
    module = module_of(OWNED, lookups=OWNER)
    host = SimpleNamespace(owner=lambda _: ())
    route = module.decide(ToolCall("1", "owned"), "turn", host)
    assert (route.kind, route.target) == ("owned", ())


def test_a_capability_that_counts_as_false_is_present() -> None:
    module = module_of(GATED, capabilities=GATE)
    route = module.decide(ToolCall("1", "gated"), "turn", SimpleNamespace(gate=()))
    assert (route.kind, route.gate) == ("gated", ())


def carrying(inner: Any) -> Any:
    """A host whose carrier carries this."""
    return SimpleNamespace(
        inner=lambda call: inner if call.name == "carrier" else None, gate=None
    )


def test_the_call_inside_is_decided_under_the_id_of_the_one_that_carries_it() -> None:
    module = module_of(CARRIER, THINK, unwraps=INNER)
    host = carrying(ToolCall("its own", "think", {"deep": 1}))
    decided = module.decide(ToolCall("outer", "carrier"), "turn", host)
    assert decided == module.Think(ToolCall("outer", "think", {"deep": 1}))


def test_a_carrier_that_carries_nothing_is_itself() -> None:
    module = module_of(CARRIER, unwraps=INNER)
    call = ToolCall("1", "carrier", {"x": 1})
    assert module.decide(call, "turn", carrying(None)) == module.Carrier(call)


def test_a_call_inside_a_call_inside_a_call_is_refused_in_its_own_name() -> None:
    other = {"kind": "other", "names": ["other"], "unwrap": "inner"}
    module = module_of(CARRIER, other, THINK, unwraps=INNER)
    calls = {"carrier": ToolCall("", "other"), "other": ToolCall("", "think")}
    host = SimpleNamespace(inner=lambda call: calls.get(call.name))
    assert module.decide(ToolCall("1", "carrier"), "turn", host) == refused("other")
    assert module.decide(ToolCall("1", "other"), "turn", host).kind == "think"


def test_a_carrier_that_carries_itself_is_refused() -> None:
    module = module_of(CARRIER, unwraps=INNER)
    host = SimpleNamespace(inner=lambda call: call)
    assert module.decide(ToolCall("1", "carrier"), "turn", host) == refused("carrier")


@pytest.mark.parametrize(
    "inner",
    ["think", 1, True, {"name": "think"}, ToolCall("", 7), ToolCall("", "think", [1])],  # type: ignore[arg-type]
)
def test_what_isnt_a_call_isnt_read_as_one(inner: Any) -> None:
    module = module_of(CARRIER, THINK, unwraps=INNER)
    decided = module.decide(ToolCall("1", "carrier"), "turn", carrying(inner))
    assert decided == unchecked("carrier")


@pytest.mark.parametrize("name", ["x" * 1_000_000, "", "think\n", "\ud800", "a\u202eb"])
def test_any_name_inside_gets_one_short_line(name: str) -> None:
    module = module_of(CARRIER, THINK, unwraps=INNER)
    host = carrying(ToolCall("", name))
    decided = module.decide(ToolCall("1", "carrier"), "turn", host)
    assert decided.id == "unknown"
    assert decided.text.isprintable()
    assert len(decided.text) < 300


def test_a_failure_inside_is_told_in_the_inner_calls_name() -> None:
    module = module_of(CARRIER, CHECKED, unwraps=INNER, guards=CHECK)
    host = carrying(ToolCall("", "checked"))
    decided = module.decide(ToolCall("1", "carrier"), "turn", host)
    assert decided == unchecked("checked")


def test_a_failing_unwrap_is_told_in_the_outer_calls_name() -> None:
    module = module_of(CARRIER, unwraps=INNER)
    decided = module.decide(ToolCall("1", "carrier"), "turn", object())
    assert decided == unchecked("carrier")


class Flickering:
    """A host whose gate is there one time, and gone the next."""

    def __init__(self) -> None:
        self.reads = 0

    @property
    def gate(self) -> object:
        self.reads += 1
        return None if self.reads % 2 else "there"

    def inner(self, call: ToolCall) -> ToolCall | None:
        return ToolCall("", "gated") if call.name == "carrier" else None


def test_a_decision_sees_one_state_of_a_capability() -> None:
    again = {"kind": "again", "names": ["gated"], "requires": ["gate"]}
    module = module_of(GATED, again, capabilities=GATE)
    host = Flickering()
    assert module.decide(ToolCall("1", "gated"), "turn", host) == refused("gated")
    assert host.reads == 1


def test_the_call_inside_sees_what_the_outer_one_saw() -> None:
    carrier = {**CARRIER, "refuse": [{"when": ["gate"], "with": "said_no"}]}
    module = module_of(carrier, GATED, capabilities=GATE, unwraps=INNER)
    host = Flickering()
    assert module.decide(ToolCall("1", "carrier"), "turn", host) == refused("gated")
    assert host.reads == 1


def test_the_call_inside_sees_what_an_earlier_route_saw() -> None:
    earlier = {"kind": "earlier", "names": ["carrier"], "requires": ["gate"]}
    module = module_of(earlier, CARRIER, GATED, capabilities=GATE, unwraps=INNER)
    host = Flickering()
    assert module.decide(ToolCall("1", "carrier"), "turn", host) == refused("gated")
    assert host.reads == 1


def test_a_capability_named_like_what_the_module_calls_its_own_is_read() -> None:
    names = ["Odd", "call_", "caller", "host", "host_", "in_turn", "refused"]
    names += ["said_no", "said_no_", "said_no__", "unknown"]
    capabilities = {name: {"type": "pathlib:Path"} for name in names}
    module = module_of(
        {
            "kind": "odd",
            "names": ["odd"],
            "requires": names,
            "refuse": [{"callers": ["host"], "with": "said_no"}],
        },
        capabilities=capabilities,
    )
    host = SimpleNamespace(**{name: f"the {name}" for name in names})
    route = module.decide(ToolCall("1", "odd"), "turn", host)
    assert [getattr(route, name) for name in names] == [f"the {n}" for n in names]
    assert module.decide(ToolCall("1", "odd"), "host", host).id == "said_no"
