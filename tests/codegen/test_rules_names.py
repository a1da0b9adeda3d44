"""The names that a module has are known to the rules: none of them can be taken."""

import ast

import pytest
from judging import judged
from modules import table_of

from toolroute_codegen.names import (
    FUNCTION_NAMES,
    KIND_MEMBERS,
    MODULE_NAMES,
    class_name,
)
from toolroute_codegen.plan import plan
from toolroute_codegen.render import render

REFUSALS = {
    "no_tool": {"code": "X", "retry": "no", "text": "{name} {caller} {near}"},
    "gone": {"code": "X", "retry": "no", "text": "{name} {caller}"},
    "missing": {"code": "X", "retry": "no", "text": "{capability}"},
    "busy": {"code": "X", "retry": "no", "text": "{what}"},
}
ALL_OF_IT = {
    "version": 1,
    "normalise": ["trim", "case"],
    "callers": {road: {"road": road} for road in ("turn", "script", "host", "puppet")},
    "capabilities": {"registry": {"type": "a.b:Registry"}, "flag": {}},
    "lookups": {
        "near_one": {"type": "a.b:Target", "refuses": ["busy"]},
        "any_one": {"type": "a.b:Target"},
    },
    "guards": {
        "policy": {"sees": "agent", "refuses": ["busy"]},
        "content": {"sees": "input", "refuses": ["busy"]},
    },
    "unwraps": {"opened": {}},
    "refusals": REFUSALS,
    "guard": "policy",
    "routes": [
        {
            "kind": "exact",
            "names": ["a", "b"],
            "requires": ["registry", "flag"],
            "when_missing": "missing",
            "refuse": [{"callers": ["script"], "names": ["a"], "with": "gone"}],
            "guard": "content",
            "unwrap": "opened",
        },
        {"kind": "page", "prefix": "p_", "plane": "client", "off_turn": "gone"},
        {"kind": "page", "glob": "q_*", "plane": "client", "off_turn": "gone"},
        {"kind": "parts", "split": "--", "ends_turn": True, "off_turn": "gone"},
        {"kind": "remote", "lookup": "near_one", "within": {"prefix": "r_"}},
        {"kind": "other", "lookup": "any_one"},
    ],
    "otherwise": "no_tool",
}
LITTLE = {
    **{key: ALL_OF_IT[key] for key in ("version", "callers", "otherwise")},
    "refusals": {"no_tool": REFUSALS["gone"]},
    "routes": [{"kind": "exact", "names": ["a"]}],
}
OWN = {"Exact", "Page", "Parts", "Remote", "Other", "Registry", "Target", *REFUSALS}


def tree(written: object) -> ast.Module:
    assert isinstance(written, dict)
    return ast.parse(render(plan(table_of(written))))


def of_module(module: ast.Module) -> set[str]:
    names = {
        alias.asname or alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                pass
    return {name for name in names if not name.startswith("_")}


def of_functions(module: ast.Module) -> set[str]:
    functions = [n for n in module.body if isinstance(n, ast.FunctionDef)]
    inside = [
        node
        for function in functions
        if function.name not in REFUSALS
        for node in ast.walk(function)
    ]
    names = {node.arg for node in inside if isinstance(node, ast.arg)}
    stored = (
        n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return (names | {node.id for node in stored}) - {"_", "registry", "flag"}


def test_the_names_of_a_module_are_those_that_are_known() -> None:
    named = of_module(tree(ALL_OF_IT)) | of_module(tree(LITTLE))
    assert named - OWN == MODULE_NAMES


def test_the_names_inside_its_functions_are_those_that_are_known() -> None:
    assert of_functions(tree(ALL_OF_IT)) - MODULE_NAMES == FUNCTION_NAMES


def test_what_every_kind_has_is_known() -> None:
    class_members = {
        item.name
        for node in tree(ALL_OF_IT).body
        if isinstance(node, ast.ClassDef) and node.name in OWN
        for item in node.body
        if isinstance(item, ast.FunctionDef) and item.name != "__init__"
    }
    assert class_members - {"registry"} <= KIND_MEMBERS


def with_refusal(name: str) -> str:
    return (
        "version: 1\ncallers: {turn: {road: turn}}\n"
        f"refusals: {{{name}: {{code: X, retry: 'no', text: t}}}}\n"
        f"routes: [{{kind: think, names: [think]}}]\notherwise: {name}\n"
    )


@pytest.mark.parametrize("name", sorted(MODULE_NAMES | FUNCTION_NAMES))
def test_no_refusal_is_named_as_something_in_the_module(name: str) -> None:
    assert [found.code for found in judged(with_refusal(name))] == ["TR234"]


@pytest.mark.parametrize(
    "kind", ["route", "host", "refusal", "class", "list", "value_error"]
)
def test_no_kind_is_named_so_that_its_class_is_taken(kind: str) -> None:
    text = with_refusal("gone").replace("kind: think", f"kind: {kind}")
    assert [found.code for found in judged(text)] == ["TR234"]
    assert class_name(kind) != kind


def test_a_kind_may_have_the_name_of_what_it_requires() -> None:
    text = with_refusal("gone").replace(
        "{kind: think, names: [think]}",
        "{kind: focus, names: [focus], requires: [focus]}",
    )
    assert judged(text + "capabilities: {focus: {type: 'a.b:Focus'}}\n") == ()
