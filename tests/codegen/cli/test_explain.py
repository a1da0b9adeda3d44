"""`toolroute explain` shows each route in order, and each outcome of a question."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]

TABLE = Path(__file__).with_name("routes.yaml")


@pytest.fixture(autouse=True)
def _table(folder: Path) -> None:
    shutil.copy(TABLE, folder / "routes.yaml")
    (folder / "pyproject.toml").write_text('[tool.toolroute]\nsource = "routes.yaml"\n')


@pytest.fixture
def explain(run: Run) -> Callable[..., list[str]]:
    def explained(name: str, *options: str) -> list[str]:
        status, out, err = run("explain", name, *options)
        assert (status, err) == (0, "")
        return out.splitlines()

    return explained


@pytest.fixture
def told(run: Run) -> Callable[..., Any]:
    def explained(name: str, *options: str) -> Any:
        status, out, err = run("explain", name, "--output-format", "json", *options)
        assert (status, err) == (0, "")
        return json.loads(out)

    return explained


Explain: TypeAlias = Callable[..., list[str]]
Told: TypeAlias = Callable[..., Any]


def test_each_route_is_shown_in_order_with_why_it_does_not_take_the_call(
    explain: Explain,
) -> None:
    assert explain("stop", "--caller", "turn", "--assume", "allowed=allows") == [
        "`stop`, called by turn in a live turn, with no capability:",
        "",
        "              guard allowed allows it, as assumed",
        "1  act        takes only act",
        "2  remote     takes only *--* that server finds",
        "3  desk       takes only desk_*",
        "4  stop       takes the call",
        "              -> the handler of stop gets `stop`",
    ]


def test_what_only_a_host_knows_is_shown_with_every_outcome(explain: Explain) -> None:
    assert explain("a--b", "--caller", "host", "--with", "servers") == [
        "`a--b`, called by host not in a live turn, with servers:",
        "",
        "              guard allowed: only a running host knows",
        "                if it refuses with not_allowed:",
        "                  -> refused: not_allowed (REFUSED, retry no)",
        "                     host may not call a--b",
        "                if it allows the call:",
        "1  act        takes only act",
        "2  remote     lookup server: only a running host knows",
        "                if it finds a target:",
        "                  guard home: only a running host knows",
        "                    if it refuses with not_home:",
        "                      -> refused: not_home (REFUSED, retry with-changes)",
        "                         keep to {home}, {a--b}",
        "                    if it refuses with not_allowed:",
        "                      -> refused: not_allowed (REFUSED, retry no)",
        "                         host may not call a--b",
        "                    if it allows the call:",
        "                  takes the call",
        "                  -> the handler of remote gets `a--b`",
        "                if it refuses with asleep:",
        "                  -> refused: asleep (ASLEEP, retry after-delay)",
        "                     a--b sleeps until {time}",
        "                if it finds nothing:",
        "3  desk       takes only desk_*",
        "4  stop       takes only stop, halt",
        "5  show       takes only show",
        "6  secret     takes only secret",
        "7  module     takes the call",
        "              -> the handler of module gets `a--b` (`a` and `b`)",
    ]


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("desk_x", "--caller=host", "desk is absent"),
        ("halt", "--caller=turn --off-turn", "the call isn't made in a live turn"),
        ("halt", "--caller=script --with=night", HALT := (
            "the caller is script or host and the name is halt and night is present "
            "and desk is absent"
        )),
        ("show", "--caller=script", "script isn't on a turn's own road"),
        ("a\n", "--caller=turn", "no provider sends such a name"),
    ],
)  # fmt: skip
def test_a_refusal_is_shown_with_why(
    explain: Explain, name: str, options: str, why: str
) -> None:
    lines = explain(name, *options.split(), "--assume=allowed=allows")
    assert why in lines[-3]
    assert "-> refused: " in lines[-2]


def test_a_hostile_name_is_shown_escaped_on_one_line(explain: Explain) -> None:
    name = "a\x1b[2J\n\u202e\udcff" + "x" * 1_000_000
    lines = explain(name, "--caller", "turn")
    assert lines[0].startswith("`a\\x1b[2J\\n\\u202e\\udcffxxx")
    assert all(len(line) < 300 and line.isprintable() for line in lines)


def test_programs_get_the_same_as_an_object(told: Told) -> None:
    seen = told("a--b", "--caller=script", "--with=servers", "--assume=allowed=allows")
    assert {**seen, "way": len(seen["way"])} == {
        "version": 1,
        "call": {
            "name": "a--b",
            "caller": "script",
            "in_turn": True,
            "present": ["servers"],
            "assumed": {"allowed": "allows"},
        },
        "way": 8,
    }
    assert seen["way"][0] == {
        "what": "guard",
        "route": None,
        "kind": None,
        "asks": "allowed",
        "call": "a--b",
        "why": "guard allowed allows it, as assumed",
        "decision": None,
    }
    assert seen["way"][-1]["decision"] == {
        "kind": "module",
        "name": "a--b",
        "parts": ["a", "b"],
    }
    lookup = seen["way"][2]
    assert (lookup["what"], lookup["route"], lookup["asks"]) == ("lookup", 2, "server")
    assert [each["outcome"] for each in lookup["outcomes"]] == [
        "found",
        "refuses asleep",
        "nothing",
    ]
    assert lookup["outcomes"][-1] == {"outcome": "nothing", "goes_on": True}
    found = lookup["outcomes"][0]["steps"]
    assert [step["what"] for step in found] == ["lookup", "guard", "taken"]
    assert found[-1]["decision"]["kind"] == "remote"
    refused = lookup["outcomes"][1]["steps"]
    assert [step["decision"] for step in refused] == [
        {
            "refused": "asleep",
            "code": "ASLEEP",
            "retry": "after-delay",
            "text": "a--b sleeps until {time}",
        }
    ]


def test_a_table_with_findings_is_not_explained(run: Run, folder: Path) -> None:
    (folder / "routes.yaml").write_text("version: 2\n")
    status, out, _ = run("explain", "stop", "--caller", "turn")
    assert status == 1
    assert "routes.yaml:1:10" in out


def test_the_table_may_be_named(run: Run, folder: Path) -> None:
    (folder / "routes.yaml").rename(folder / "other.yaml")
    told = run("explain", "stop", "other.yaml", "--caller", "turn")
    assert told[0] == 0
