"""The names that a generated module offers: each would be taken by its own route."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from modules import root_table
from test_generated_decides import CARRIER, GATE, GATED, INNER, THINK, module_of
from worlds import AHost, Answers

from toolroute import Refusal, ToolCall
from toolroute_host import dispatch

ALL = frozenset(root_table().written.capabilities)


def host_with(present: Iterable[str], **listed: Any) -> Any:
    """A host of the root table that lists these names."""
    return AHost(Answers(frozenset(present), listed=listed), root_table().written)


def test_the_root_surface_stands_in_the_tables_order() -> None:
    host = host_with(
        ALL,
        mcpl=["server--tool"],
        channel=["channel_open", "channel_publish"],
        module=["notes--add", "server--tool"],
    )
    assert dispatch.surface("turn", host) == [
        *(
            "toolsets--open",
            "toolsets--act",
            "channel_open",
            "channel_publish",
            "utils",
        ),
        *("agent_settings", "save_recent_image", "read_image", "fetch_reference"),
        *("gate_status", "tune_out", "focus", "wake", "wake_add_rule"),
        *("wake_remove_rule", "event_tags", "think", "journal", "skip_reply"),
        *(
            "code_execution",
            "drafts",
            "heartbeat_status",
            "heartbeat_set",
            "prose_help",
        ),
        *("notes--add", "server--tool"),
    ]


def test_a_host_without_anything_still_offers_what_always_routes() -> None:
    assert dispatch.surface("turn", host_with(())) == [
        *("toolsets--open", "toolsets--act", "agent_settings"),
    ]


@pytest.mark.parametrize("caller", root_table().written.callers)
def test_each_name_that_is_offered_is_taken(caller: Any) -> None:
    host = host_with(ALL, channel=["channel_open"], module=["notes--add"])
    as_caller = "turn" if caller == "puppet" else caller
    for name in dispatch.surface(caller, host):
        decided = dispatch.decide(ToolCall("1", name), as_caller, host)
        assert not isinstance(decided, Refusal)


def test_a_puppet_is_offered_what_a_turn_is() -> None:
    host = host_with(ALL)
    assert dispatch.surface("puppet", host) == dispatch.surface("turn", host)
    assert "skip_reply" in dispatch.surface("puppet", host)


def test_a_caller_isnt_offered_what_it_would_be_refused() -> None:
    host = host_with(ALL)
    names = {
        name: [
            caller
            for caller in root_table().written.callers
            if name in dispatch.surface(caller, host)  # type: ignore[arg-type]
        ]
        for name in ("think", "skip_reply", "code_execution", "utils")
    }
    assert names == {
        "think": ["turn", "script", "host", "puppet"],
        "skip_reply": ["turn", "script", "puppet"],
        "code_execution": ["turn", "host", "puppet", "module"],
        "utils": ["turn", "script", "host", "puppet", "module"],
    }


def test_the_first_turn_caller_is_the_one_that_a_puppet_is_shown_as() -> None:
    first = {**THINK, "refuse": [{"callers": ["second"], "with": "said_no"}]}
    callers = {
        "puppet": {"road": "puppet"},
        "first": {"road": "turn"},
        "second": {"road": "turn"},
    }
    module = module_of(first, callers=callers)
    assert module.surface("puppet", object()) == ["think"]


def test_a_puppet_without_a_turn_is_itself_as_in_a_turn() -> None:
    ending = {**THINK, "ends_turn": True, "off_turn": "said_no"}
    hers = {
        "kind": "hers",
        "names": ["hers"],
        "refuse": [{"callers": ["puppet"], "with": "said_no"}],
    }
    module = module_of(ending, hers, callers={"puppet": {"road": "puppet"}})
    assert module.surface("puppet", object()) == ["think"]


def test_a_guard_of_names_filters_and_one_of_input_isnt_asked() -> None:
    guards = {
        "of_names": {"sees": "agent", "refuses": ["said_no"]},
        "of_input": {"sees": "input", "refuses": ["said_no"]},
    }
    module = module_of(
        {"kind": "kept", "names": ["kept", "hidden"], "guard": "of_names"},
        {"kind": "read", "names": ["read"], "guard": "of_input"},
        guards=guards,
    )
    no = module.said_no(name="x")
    host = SimpleNamespace(of_names=lambda name, _: no if name == "hidden" else None)
    assert module.surface("turn", host) == ["kept", "read"]


@pytest.mark.parametrize("sees", ["agent", "input"])
def test_the_tables_own_guard_filters_if_it_sees_names(sees: str) -> None:
    module = module_of(
        THINK,
        {"kind": "other", "names": ["other"]},
        guard="first",
        guards={"first": {"sees": sees, "refuses": ["said_no"]}},
    )
    asked: list[Any] = []

    def first(seen: Any, _caller: str) -> Any:
        asked.append(seen)
        return module.said_no(name="x") if seen == "think" else None

    names = module.surface("turn", SimpleNamespace(first=first))
    assert (names, asked) == {
        "agent": (["other"], ["think", "other"]),
        "input": (["think", "other"], []),
    }[sees]


def test_an_unwrap_isnt_asked_for_a_surface() -> None:
    module = module_of(CARRIER, unwraps=INNER)
    assert module.surface("turn", object()) == ["carrier"]


def test_what_raises_hides_the_names_that_it_was_asked_about() -> None:
    module = module_of(
        GATED,
        THINK,
        {"kind": "listed", "prefix": "l_"},
        {"kind": "more", "prefix": "m_", "advertise": ["gate"]},
        capabilities=GATE,
    )

    def half() -> Iterable[str]:
        yield "l_one"
        raise RuntimeError

    assert module.surface("turn", SimpleNamespace(list_listed=half)) == ["think"]


def test_names_that_a_host_lists_wrongly_are_left_out() -> None:
    module = module_of({"kind": "listed", "prefix": "l_"}, THINK)
    listed = [
        *("l_ok", "l_", "think", "other", "l_\n", "l_é", "l_" + "x" * 127, "l_ok", ""),
        *(7, None, b"l_b", "\ud800"),
    ]
    host = SimpleNamespace(list_listed=lambda: listed)
    assert module.surface("turn", host) == ["l_ok", "think"]


def test_a_name_is_offered_once_by_the_route_that_would_take_it() -> None:
    module = module_of(
        {"kind": "gated", "names": ["both", "late"], "requires": ["gate"]},
        {"kind": "plain", "names": ["both", "early"]},
        capabilities=GATE,
    )
    without = SimpleNamespace(gate=None)
    assert module.surface("turn", without) == ["both", "early"]
    with_it = SimpleNamespace(gate="there")
    assert module.surface("turn", with_it) == ["both", "late", "early"]


def test_a_name_that_isnt_advertised_isnt_offered_by_a_later_route() -> None:
    module = module_of(
        {"kind": "shown", "names": ["x_a"], "advertise": "never"},
        {"kind": "shown", "prefix": "x_"},
    )
    host = SimpleNamespace(list_shown=lambda: ["x_a", "x_b"])
    assert module.surface("turn", host) == ["x_b"]


def test_what_advertises_must_be_present_besides_what_is_required() -> None:
    shown = {**GATED, "advertise": ["shown", "page"]}
    module = module_of(
        shown, capabilities={**GATE, "shown": {}, "page": {"type": "pathlib:Path"}}
    )
    for gate, flag, page, names in (
        ("there", True, (), ["gated"]),
        ("there", True, None, []),
        ("there", False, (), []),
        (None, True, (), []),
    ):
        host = SimpleNamespace(gate=gate, shown=flag, page=page)
        assert module.surface("turn", host) == names


def test_a_lister_is_asked_once_however_many_routes_its_kind_has() -> None:
    module = module_of(
        {"kind": "listed", "prefix": "l_"},
        {"kind": "middle", "prefix": "m_"},
        {"kind": "listed", "prefix": "n_"},
    )
    asked: list[int] = []
    host = SimpleNamespace(
        list_listed=lambda: asked.append(1) or ["n_1", "l_1"],  # type: ignore[func-returns-value]
        list_middle=lambda: ["m_1"],
    )
    assert module.surface("turn", host) == ["l_1", "m_1", "n_1"]
    assert asked == [1]
