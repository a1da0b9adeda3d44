"""Cases from the field, in the table's language: routed as expected, or unsayable.

`NNN.yaml` is a table that builds, and the case's call is decided by its module.
`NNN.rejected.yaml` says the mistake, and is rejected for it.
"""

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypeAlias

import pytest
from judging import codes
from modules import imported

from toolroute import Refusal, ToolCall
from toolroute_codegen.compile import compile_table

CASES = Path(__file__).with_name("routing_cases")
FILES = {path.name[:3]: path for path in CASES.glob("*.json")}
REJECTED = {
    "201.rejected": "TR203",
    "202.rejected": "TR203",
    "203.rejected": "TR203",
    "205.rejected": "TR203",
    "207.rejected": "TR203",
    "209.rejected": "TR203",
    "210.rejected": "TR231",
}
UNSAYABLE = {"207"}
"""Whose mistake is rejected, and for which there's nothing else to route."""

Decided: TypeAlias = Any


def case(number: str) -> Any:
    return json.loads(FILES[number].read_text(encoding="utf-8"))


def text_of(stem: str) -> str:
    return (CASES / f"{stem}.yaml").read_text(encoding="utf-8")


def module_of(stem: str) -> ModuleType:
    return imported(compile_table(text_of(stem), f"{stem}.yaml"), f"case_{stem[:3]}")


def called(number: str, host: object = None, stem: str | None = None) -> Decided:
    """What the case's own call comes to."""
    call = case(number)["call"]
    return decided(stem or number, call["name"], call["caller"], host)


def decided(stem: str, name: str, caller: str, host: object = None) -> Decided:
    return module_of(stem).decide(
        ToolCall("1", name), caller, host or SimpleNamespace()
    )


def no_guard(*_: object) -> None:
    """A guard or lookup that says nothing."""


def refused(decision: Decided) -> str:
    assert isinstance(decision, Refusal)
    return decision.id


@pytest.mark.parametrize(("stem", "code"), REJECTED.items())
def test_the_mistake_is_rejected(stem: str, code: str) -> None:
    assert codes(text_of(stem)) == [code]


def test_201_each_server_has_its_own_name() -> None:
    assert [
        decided("201", f"mail_{s}_send_email", "main_agent").kind for s in "ab"
    ] == [
        "mail_a",
        "mail_b",
    ]
    assert refused(called("201")) == "unknown_name"


def test_202_the_owners_own_name_comes_with_the_route() -> None:
    exposed = case("202")["expected"]["exposed_names"]
    owners = {name: (name.split("_")[1], "search") for name in exposed}
    route = called("202", SimpleNamespace(server=owners.get))
    assert (route.kind, route.target) == ("mcp", ("tracker", "search"))


def test_203_both_are_kept_under_prefixes_of_their_own() -> None:
    assert called("203").kind == "kanban"
    assert decided("203", "mcp__kanban__list", "main_agent").kind == "mcp_kanban"


def test_205_the_longer_prefix_stands_first() -> None:
    assert called("205").kind == "my_server"
    assert decided("205", "mcp_my_other", "main_agent").kind == "my"


def test_206_a_bare_name_is_an_alias_or_nothing_and_never_split() -> None:
    expected = case("206")["expected"]["if_alias_not_declared"]
    assert called("206").kind == "docs"
    refusal = called("206", stem="206.no_alias")
    assert refused(refusal) == expected["refusal"]
    assert refusal.text.endswith(f"Close to it: {expected['suggest'][0]}.")


def test_209_an_exact_name_keeps_its_name() -> None:
    assert called("209").kind == "shop"
    assert decided("209", "catalog_query_2f1c", "main_agent").kind == "shop_dotted"


def test_210_the_name_for_a_provider_is_looked_up_and_not_taken_apart() -> None:
    names = {"calendar_updateEvent": case("210")["expected"]["upstream_name"]}
    route = called("210", SimpleNamespace(exposed=names.get))
    assert (route.kind, route.target) == ("calendar", "calendar.updateEvent")


def test_212_an_invented_prefix_is_refused_and_the_near_name_told() -> None:
    expected = case("212")["expected"]
    refusal = called("212")
    assert refused(refusal) == expected["refusal"]
    assert refusal.text.endswith("Close to it: view.")
    assert decided("212", "functions.view", "main_agent").kind == "view"


def test_213_a_name_is_cut_at_a_control_token() -> None:
    route = called("213")
    assert (route.kind, route.call.name) == ("manage_cart", "manage_cart")
    for name, expected in case("213")["expected"]["edge"].items():
        assert refused(decided("213", name, "main_agent")) == expected["refusal"]


def test_214_a_name_is_trimmed_before_every_check() -> None:
    seen: list[str] = []
    host = SimpleNamespace(permission=lambda name, _caller: seen.append(name))
    route = called("214", host)
    assert (route.kind, route.call.name, seen) == (
        "delegate_task",
        "delegate_task",
        ["delegate_task"],
    )


def test_215_one_form_of_a_name_feeds_the_route_and_the_policy() -> None:
    seen: list[str] = []
    host = SimpleNamespace(
        fs_read=True, approval=lambda name, _caller: seen.append(name)
    )
    route = called("215", host)
    assert (route.kind, route.call.name, seen) == ("read", "Read", ["Read"])


def test_217_an_invented_name_is_told_what_this_caller_has_close_to_it() -> None:
    refusal = called("217")
    assert refused(refusal) == case("217")["expected"]["refusal"]
    assert refusal.text.endswith("Close to it: get_time.")
    theirs = decided("217", "get_dat", "subagent").text
    assert "get_data" in theirs


@pytest.mark.parametrize(
    "spelling", ["{}", " {}\n", "functions.{}", "{}<|channel|>json", "MCP__SRV__DANGER"]
)
def test_218_what_is_denied_is_denied_in_every_spelling(spelling: str) -> None:
    call = case("218")["call"]
    name = spelling.format(call["name"])
    assert refused(decided("218", name, call["caller"])) == "not_allowed"
    host = SimpleNamespace()
    assert module_of("218").surface("main_agent", host) == ["mcp__srv__safe"]


def test_220_permission_is_the_routes_and_not_the_names() -> None:
    assert refused(called("220")) == case("220")["expected"]["refusal"]
    allowed = decided("220", "mcp__foo_bar_h1__read", "main_agent")
    assert allowed.kind == "foo_dot_bar"


def test_222_every_caller_is_offered_what_it_may_call() -> None:
    module = module_of("222")
    for subagents in (False, True):
        host = SimpleNamespace(subagents=subagents)
        for caller in ("webchat", "webchat_streaming"):
            offered = module.surface(caller, host)
            answer = module.decide(ToolCall("1", "spawn_subagent"), caller, host)
            assert offered == (["spawn_subagent"] if subagents else [])
            assert isinstance(answer, Refusal) != subagents
    assert called("222", SimpleNamespace(subagents=True)).kind == "spawn_subagent"


def test_223_each_road_has_the_route_or_a_refusal_at_once() -> None:
    names = case("223")["routes"][0]["callers"]
    kinds = {decided("223", "schedule_task", caller).kind for caller in names}
    assert kinds == {called("223").kind} == {"host_tool"}
    assert refused(decided("223", "schedule_task", "page")) == "not_here"


def test_225_what_a_call_claims_gives_it_nothing() -> None:
    call = case("225")["call"]
    made = ToolCall("1", call["name"], {"allowedTools": call["claimed_allowed_tools"]})
    decision = module_of("225").decide(made, call["caller"], SimpleNamespace())
    assert refused(decision) == case("225")["expected"]["refusal"]
    assert decided("225", "write_file", "admin").kind == "fs_write"


def test_227_what_is_not_there_now_is_told_from_what_is_unknown() -> None:
    host = SimpleNamespace(proxy_connected=False)
    refusal = called("227", host)
    assert (refused(refusal), refusal.text) == (
        "missing_capability",
        "call_upstream needs proxy_connected.",
    )
    assert (
        refused(decided("227", "call_downstream", "main_agent", host)) == "unknown_name"
    )


def test_228_the_missing_capability_is_named() -> None:
    refusal = called("228", SimpleNamespace(fs_read=True, fs_write=False))
    assert (refused(refusal), refusal.text) == (
        case("228")["expected"]["refusal"],
        "edit_file needs fs_write.",
    )


def test_every_case_has_its_test_and_every_table_its_case() -> None:
    tested = {name[5:8] for name in globals() if name.startswith("test_2")}
    assert tested | UNSAYABLE == set(FILES)
    tables = {path.stem for path in CASES.glob("*.yaml")}
    assert tables == {*REJECTED, *tested, "206.no_alias"}
