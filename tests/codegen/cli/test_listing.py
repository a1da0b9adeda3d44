"""`toolroute table` and `toolroute surface`: what there is, and what is offered."""

import json
import shutil
from collections.abc import Callable
from itertools import chain, combinations
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from toolroute_codegen.interpreter import surface
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse

Run: TypeAlias = Callable[..., tuple[int, str, str]]

HERE = Path(__file__)
ROOT = HERE.parents[3] / "routes.yaml"


@pytest.fixture(autouse=True)
def _table(folder: Path) -> None:
    shutil.copy(HERE.with_name("routes.yaml"), folder / "routes.yaml")
    (folder / "pyproject.toml").write_text('[tool.toolroute]\nsource = "routes.yaml"\n')


def test_the_table_is_shown_in_its_order(run: Run) -> None:
    assert run("table") == (
        0,
        """\
The guard allowed is asked first, on every call.
1  act     act                     unwraps inner_call
2  remote  *--* that server finds  requires servers; guard home
3  desk    desk_*                  requires desk (else no_desk)
4  stop    stop, halt              refuses with at_night where the caller is script or \
host and the name is halt and night is present and desk is absent; refuses with \
no_turn off a turn; ends the turn
5  show    show                    refuses with no_turn off a turn; runs in a client; \
on the surface with night
6  secret  secret                  never on the surface
7  module  *--*
otherwise unknown
""",
        "",
    )


def test_programs_get_the_table_as_it_is_written_with_positions(run: Run) -> None:
    status, out, err = run("table", "--output-format", "json")
    assert (status, err) == (0, "")
    written = yaml.safe_load(HERE.with_name("routes.yaml").read_text())
    routes = [
        {"position": at, **route} for at, route in enumerate(written["routes"], 1)
    ]
    assert json.loads(out) == {
        "version": 1,
        "normalise": [],
        "guard": "allowed",
        "routes": routes,
        "otherwise": "unknown",
    }


def test_the_forms_of_a_name_are_told(run: Run, folder: Path) -> None:
    text = (folder / "routes.yaml").read_text()
    (folder / "routes.yaml").write_text(f"{text}normalise: [trim, case]\n")
    assert run("table")[1].splitlines()[0] == (
        "Names that no route takes are tried as: trim, case."
    )


@pytest.mark.parametrize(
    ("options", "offered"),
    [
        ("--caller=turn", ["act", "stop", "halt", "*--* list_module"]),
        ("--caller=host", ["act", "*--* list_module"]),
        ("--caller=puppet", ["act", "stop", "halt", "*--* list_module"]),
        (
            "--caller=script --with=night",
            ["act", "stop", "*--* list_module"],
        ),
        (
            "--caller=turn --with=night --with=desk --with=servers",
            [
                "act",
                "*--* list_remote",
                "desk_* list_desk",
                *("stop", "halt", "show"),
                "*--* list_module",
            ],
        ),
    ],
)
def test_a_caller_is_offered_what_would_be_routed(
    run: Run, options: str, offered: list[str]
) -> None:
    status, out, err = run("surface", *options.split())
    assert (status, err) == (0, "")
    first, *rest = out.splitlines()
    assert first == "Unless the guard allowed hides them:"
    assert [
        line.replace("those that ", "").replace("() gives", "").split() for line in rest
    ] == [line.split() for line in offered]


def test_programs_get_the_surface_as_an_object(run: Run) -> None:
    options = ("--caller=turn", "--with=desk", "--output-format=json")
    status, out, err = run("surface", *options)
    assert (status, err) == (0, "")
    seen = json.loads(out)
    assert {**seen, "surface": seen["surface"][:2]} == {
        "version": 1,
        "caller": "turn",
        "present": ["desk"],
        "guard": "allowed",
        "surface": [
            {
                "name": "act",
                "pattern": None,
                "kind": "act",
                "lists": None,
                "guard": None,
            },
            {
                "name": None,
                "pattern": "desk_*",
                "kind": "desk",
                "lists": "list_desk",
                "guard": None,
            },
        ],
    }


def test_a_guard_that_sees_the_agent_may_hide_and_one_that_sees_input_does_not(
    run: Run, folder: Path
) -> None:
    text = (folder / "routes.yaml").read_text()
    assert "guard home" not in run("surface", "--caller=turn", "--with=servers")[1]
    (folder / "routes.yaml").write_text(text.replace("sees: input", "sees: agent"))
    assert (
        "those that list_remote() gives, unless the guard home hides one"
        in (run("surface", "--caller=turn", "--with=servers")[1])
    )


CAPABILITIES = ("servers", "desk", "night")


@pytest.mark.parametrize(
    "present", list(chain(*(combinations(CAPABILITIES, n) for n in range(4))))
)
@pytest.mark.parametrize("caller", ["turn", "script", "host", "puppet"])
def test_the_names_are_those_that_the_interpreter_offers(
    run: Run, caller: str, present: tuple[str, ...]
) -> None:
    class Willing:
        def has(self, capability: str) -> bool:
            return capability in present

        def nothing(self, *_: object) -> None:
            return None

        lookup = guard = unwrap = nothing

        def listed(self, _: str) -> list[str]:
            return []

    world: Any = Willing()
    text = HERE.with_name("routes.yaml").read_text()
    offered = surface(parse(load(text, "routes.yaml")), caller, world)
    options = [f"--with={each}" for each in present]
    _, out, _ = run("surface", f"--caller={caller}", *options)
    names = [line.split()[0] for line in out.splitlines()[1:] if "*" not in line]
    assert names == offered


@pytest.mark.parametrize("present", [[], ["channel_registry"], ["workspace", "fork"]])
@pytest.mark.parametrize("caller", ["turn", "script", "host", "puppet", "module"])
def test_the_root_tables_surface_is_the_generated_modules(
    run: Run, caller: Any, present: list[str]
) -> None:
    from toolroute_host import dispatch  # noqa: PLC0415 - as it's built now

    class Host:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("list_"):
                return list
            if name in {"allowed_tools", "tool_policy", "fork_channel", "mcpl_server"}:
                return lambda *_: None
            return True if name in present else None

    host: Any = Host()
    options = [f"--with={each}" for each in present]
    _, out, _ = run("surface", str(ROOT), f"--caller={caller}", *options)
    names = [line.split()[0] for line in out.splitlines()[1:] if "*" not in line]
    assert names == dispatch.surface(caller, host)


@pytest.mark.parametrize("command", ["table", "surface"])
def test_a_table_with_findings_is_not_listed(
    run: Run, folder: Path, command: str
) -> None:
    (folder / "routes.yaml").write_text("version: 2\n")
    options = ["--caller=turn"] if command == "surface" else []
    status, out, err = run(command, *options)
    assert (status, "finding" in err) == (1, True)
    assert "routes.yaml:1:10: TR" in out


def test_an_unknown_caller_and_capability_are_told(run: Run) -> None:
    assert run("surface", "--caller=hots") == (
        2,
        "",
        "toolroute: there is no caller named `hots`. Did you mean `host`?\n",
    )
    assert run("surface", "--caller=host", "--with=\x1b") == (
        2,
        "",
        (
            "toolroute: there is no capability named `\\x1b`. There is `servers`, "
            "`desk`, `night`.\n"
        ),
    )
