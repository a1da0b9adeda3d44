"""Which form of a name is routed, and what is said of one that isn't."""

from types import SimpleNamespace
from typing import Any

import pytest
from test_generated_decides import GATE, THINK, module_of

from toolroute import ToolCall

READ = {"kind": "reader", "names": ["Read", "read_file"]}
NOWHERE = SimpleNamespace(gate=None)


def decided(module: Any, name: str, host: Any = NOWHERE) -> Any:
    """What becomes of a call of this name in a turn."""
    return module.decide(ToolCall("1", name, {"x": 1}), "turn", host)


@pytest.mark.parametrize("name", [" think", "think\n", "\tthink \r\n", "\u00a0think"])
def test_trim_takes_white_space_off_both_ends(name: str) -> None:
    module = module_of(THINK, normalise=["trim"])
    assert decided(module, name) == module.Think(ToolCall("1", "think", {"x": 1}))


def test_control_tokens_are_cut_at_the_first() -> None:
    module = module_of(THINK, normalise=["control_tokens"])
    assert decided(module, "think<|channel|>commentary<|x|>").call.name == "think"
    assert decided(module, "<|constrain|>json").text == "No <|constrain|>json."


def test_functions_prefix_is_taken_off_once() -> None:
    module = module_of(THINK, normalise=["functions_prefix"])
    assert decided(module, "functions.think").call.name == "think"
    assert decided(module, "functions.functions.think").id == "unknown"
    assert decided(module, "default_api:think").id == "unknown"


def test_case_takes_the_only_name_that_differs_in_case_alone() -> None:
    module = module_of(READ, normalise=["case"])
    assert decided(module, "read").call.name == "Read"
    assert decided(module, "READ_FILE").call.name == "read_file"
    two = module_of(READ, {"kind": "other", "names": ["READ"]}, normalise=["case"])
    assert decided(two, "read").id == "unknown"
    assert decided(two, "READ").kind == "other"


def test_case_takes_no_letter_for_another_that_looks_like_it() -> None:
    module = module_of({"kind": "ask", "names": ["ask"]}, normalise=["case"])
    assert decided(module, "ASK").kind == "ask"
    assert decided(module, "as\u212a").id == "unknown"


def test_forms_are_applied_one_after_the_other() -> None:
    module = module_of(READ, normalise=["trim", "functions_prefix", "case"])
    assert decided(module, " functions.read\n").call.name == "Read"
    turned = module_of(READ, normalise=["case", "functions_prefix", "trim"])
    assert decided(turned, " functions.read\n").id == "unknown"


def test_a_name_that_some_shape_takes_as_sent_stays_as_it_is() -> None:
    functions = {"kind": "functions", "prefix": "functions."}
    module = module_of(THINK, functions, normalise=["functions_prefix"])
    assert decided(module, "functions.think").kind == "functions"


def test_a_shape_counts_whatever_is_present_and_nobody_is_asked() -> None:
    functions = {"kind": "functions", "prefix": "functions.", "requires": ["gate"]}
    module = module_of(
        THINK, functions, normalise=["functions_prefix"], capabilities=GATE
    )
    assert decided(module, "functions.think").text == "No functions.think."


def test_guards_lookups_and_handlers_see_the_same_name() -> None:
    asked: list[Any] = []
    host = SimpleNamespace(
        first=lambda name, caller: asked.append((name, caller)),
        last=lambda call, caller: asked.append((call, caller)),
        owner=lambda name: asked.append(name) or "target",  # type: ignore[func-returns-value]
    )
    module = module_of(
        {
            "kind": "owned",
            "lookup": "owner",
            "within": {"prefix": "own_"},
            "guard": "last",
        },
        normalise=["trim"],
        guard="first",
        guards={
            "first": {"sees": "agent", "refuses": ["said_no"]},
            "last": {"sees": "input", "refuses": ["said_no"]},
        },
        lookups={"owner": {"type": "pathlib:Path"}},
    )
    route = decided(module, " own_it ", host)
    call = ToolCall("1", "own_it", {"x": 1})
    assert asked == [("own_it", "turn"), "own_it", (call, "turn")]
    assert (route.call, route.target) == (call, "target")


def test_a_name_that_no_provider_sends_is_refused_before_anyone_is_asked() -> None:
    module = module_of(
        THINK,
        {"kind": "any", "lookup": "owner"},
        guard="first",
        guards={"first": {"sees": "agent", "refuses": ["said_no"]}},
        lookups={"owner": {"type": "pathlib:Path"}},
    )
    for name in ("", "think\n", "channel_\n", "a--\x1b", "\ud800", "x" * 129, "a b"):
        assert decided(module, name, host=None).id == "unknown"


def test_a_separator_needs_something_on_both_sides_of_its_first_place() -> None:
    module = module_of({"kind": "parts", "split": "--"})
    taken = {"a--b": ("a", "b"), "a---b": ("a", "-b"), "a--b--c": ("a", "b--c")}
    for name, parts in taken.items():
        route = decided(module, name)
        assert (route.before, route.after) == parts
    for name in ("a--", "--b", "--a--b", "--", "ab"):
        assert decided(module, name).id == "unknown"


def test_a_prefix_and_a_glob_need_something_more() -> None:
    module = module_of(
        {"kind": "headed", "prefix": "channel_"}, {"kind": "both", "glob": "get_*_now"}
    )
    assert decided(module, "channel_x").kind == "headed"
    assert decided(module, "channel_").id == "unknown"
    assert decided(module, "get_it_now").kind == "both"
    for name in ("get__now", "get_now", "xget_it_now", "get_it_nowx"):
        assert decided(module, name).id == "unknown"


NEAR = {
    "unknown": {"code": "X", "retry": "no", "text": "No {name}; near: {near}."},
    "said_no": {"code": "X", "retry": "no", "text": "no"},
}


def near_module(*routes: dict[str, Any], **more: Any) -> Any:
    return module_of(*routes, refusals=NEAR, **more)


def test_near_names_are_at_most_three_and_the_nearest_first() -> None:
    names = ["think_a", "think_b", "think_c", "think_d", "other"]
    module = near_module({"kind": "think", "names": names})
    text = decided(module, "think_aa").text
    assert text.startswith("No think_aa; near: think_a, ")
    assert text.count("think_") == 4


@pytest.mark.parametrize("name", ["qqqq", "", "\ud800", "q" * 1_000_000])
def test_near_nothing_is_said_to_be_nothing(name: str) -> None:
    module = near_module(THINK)
    assert decided(module, name).text.endswith("; near: nothing.")


def test_near_names_are_those_on_this_callers_surface() -> None:
    hosts = {**THINK, "refuse": [{"callers": ["turn"], "with": "said_no"}]}
    gated = {"kind": "gated", "names": ["thinks"], "requires": ["gate"]}
    hidden = {"kind": "hidden", "names": ["thinkk"], "advertise": "never"}
    module = near_module(hosts, gated, hidden, capabilities=GATE)
    call = ToolCall("1", "thin")
    for caller, gate, close in (
        ("turn", None, "nothing"),
        ("host", None, "think"),
        ("host", "there", "think, thinks"),
    ):
        refusal = module.decide(call, caller, SimpleNamespace(gate=gate))
        assert refusal.text == f"No thin; near: {close}."


def test_what_fails_on_the_surface_isnt_near_and_doesnt_fail_the_refusal() -> None:
    broken = {"kind": "broken", "names": ["thinks"], "requires": ["gate"]}
    module = near_module(THINK, broken, capabilities=GATE)
    assert decided(module, "thin", host=object()).text == "No thin; near: think."


def test_values_in_a_text_are_one_line_each_and_braces_are_braces() -> None:
    words = {
        "unknown": {"code": "X", "retry": "no", "text": "{{{name}}} %s {{}} {caller}"}
    }
    module = module_of(THINK, refusals=words)
    assert decided(module, "a\nb").text == "{a\\nb} %s {} turn"
    assert decided(module, "{name}%s").text == "{{name}%s} %s {} turn"
    assert len(decided(module, "x" * 1_000_000).text) < 300


def test_a_missing_capability_is_named_the_first_first() -> None:
    words = {
        "unknown": {"code": "X", "retry": "no", "text": "no"},
        "missing": {"code": "X", "retry": "no", "text": "{name} needs {capability}"},
    }
    route = {
        "kind": "gated",
        "names": ["gated"],
        "requires": ["gate", "key"],
        "when_missing": "missing",
    }
    module = module_of(route, refusals=words, capabilities={**GATE, "key": {}})
    states = {(None, False): "gate", (None, True): "gate", ("there", False): "key"}
    for (gate, key), named in states.items():
        host = SimpleNamespace(gate=gate, key=key)
        assert decided(module, "gated", host).text == f"gated needs {named}"
