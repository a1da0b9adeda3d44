"""`--assume` picks one outcome of what only a running host knows."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

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


Explain: TypeAlias = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("name", "options", "end"),
    [
        ("a--b", "server=found home=allows", "handler of remote gets `a--b`"),
        ("a--b", "server=nothing", "handler of module gets `a--b` (`a` and `b`)"),
        ("a--b", "server=asleep", "refused: asleep (ASLEEP, retry after-delay)"),
        (
            "a--b",
            "server=refuses:asleep",
            "refused: asleep (ASLEEP, retry after-delay)",
        ),
        ("a--b", "server=found home=not_home", "refused: not_home"),
        ("a--b", "server=raises", "refused: check_failed (CHECK_FAILED, retry yes)"),
        ("act", "inner_call=stop", "handler of stop gets `stop`"),
        ("act", "inner_call=call:nothing", "refused: unknown"),
        ("act", "inner_call=nothing", "handler of act gets `act`"),
        ("act", "inner_call=act", "refused: unknown"),
        ("act", "inner_call=raises", "refused: check_failed (CHECK_FAILED, retry yes)"),
    ],
)
def test_an_assumption_picks_one_outcome(
    explain: Explain, name: str, options: str, end: str
) -> None:
    assumed = [f"--assume={each}" for each in f"allowed=allows {options}".split()]
    lines = explain(name, "--caller=turn", "--with=servers", *assumed)
    ends = [line for line in lines if "->" in line]
    assert len(ends) == 1
    assert end in ends[0]
    assert not [line for line in lines if "only a running host knows" in line]


def test_what_raises_is_shown_at_its_route(explain: Explain) -> None:
    lines = explain(
        "act", "--caller=turn", "--assume=allowed=allows", "--assume=inner_call=raises"
    )
    assert lines[-3:] == [
        "1  act        inner_call raises, as assumed",
        "              -> refused: check_failed (CHECK_FAILED, retry yes)",
        "                 act couldn't be checked, so nothing was done.",
    ]


def test_a_call_inside_is_shown_from_its_own_start(explain: Explain) -> None:
    lines = explain(
        "act", "--caller=turn", "--assume=allowed=allows", "--assume=inner_call=stop"
    )
    assert lines[2:8] == [
        "              guard allowed allows it, as assumed",
        "1  act        unwrap inner_call reads `stop`, as assumed",
        "the call inside, `stop`:",
        "              guard allowed allows it, as assumed",
        "1  act        takes only act",
        "2  remote     takes only *--* that server finds",
    ]


def test_a_call_inside_of_the_call_inside_is_not_read(explain: Explain) -> None:
    lines = explain(
        "act", "--caller=turn", "--assume=allowed=allows", "--assume=inner_call=act"
    )
    assert lines[-3:] == [
        "1  act        the call inside carries another, and only one is read",
        "              -> refused: unknown (NO_SUCH_TOOL, retry no)",
        "                 no tool act; close: act",
    ]


def test_an_unread_call_inside_is_said_to_be_decided_by_itself(
    explain: Explain,
) -> None:
    lines = explain("act", "--caller", "turn", "--assume", "allowed=allows")
    assert lines[3:] == [
        "1  act        unwrap inner_call: only a running host knows",
        "                if it reads a call:",
        "                  that call is decided; --assume inner_call=TOOL shows how",
        "                if there is no call in it:",
        "              takes the call",
        "              -> the handler of act gets `act`",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            "--caller=trun",
            "there is no caller named `trun`. Did you mean `turn`?",
        ),
        (
            "--caller=x",
            (
                "there is no caller named `x`. There is `turn`, `script`, `host`, "
                "`puppet`."
            ),
        ),
        (
            "--caller=turn --with=desks",
            "there is no capability named `desks`. Did you mean `desk`?",
        ),
        (
            "--caller=turn --assume=homes=allows",
            (
                "--assume: there is no lookup, guard or unwrap named `homes`. "
                "Did you mean `home`?"
            ),
        ),
        (
            "--caller=turn --assume=home",
            "--assume `home`: what comes of it? Write `home`=OUTCOME.",
        ),
        (
            "--caller=turn --assume=home=found",
            (
                "--assume `home`=`found`: the guard `home` has no such outcome. "
                "It's one of allows, raises, not_home, not_allowed."
            ),
        ),
        (
            "--caller=turn --assume=server=allows",
            (
                "--assume `server`=`allows`: the lookup `server` has no such outcome. "
                "It's one of found, nothing, raises, asleep."
            ),
        ),
        (
            "--caller=turn --assume=inner_call=",
            (
                "--assume `inner_call`=``: the unwrap `inner_call` has no such "
                "outcome. It's one of nothing, raises, TOOL."
            ),
        ),
        (
            "--caller=turn --assume=home=allows --assume=home=raises",
            "--assume says twice what comes of `home`.",
        ),
    ],
)
def test_what_is_not_in_the_table_is_told(
    run: Run, options: str, sentence: str
) -> None:
    told = run("explain", "stop", *options.split())
    assert told == (2, "", f"toolroute: {sentence}\n")
