"""A finding can be allowed in the table, with a reason."""

import re
from pathlib import Path

import pytest
from judging import codes, completed, judged
from modules import imported
from worlds import AHost, Answers, AWorld, read, seen

from toolroute import ToolCall
from toolroute_codegen import interpreter
from toolroute_codegen.compile import compile_table
from toolroute_codegen.load import load
from toolroute_codegen.parse import parse
from toolroute_codegen.rules import ALLOWABLE, NAMES

ALLOWED = (Path(__file__).with_name("accepted") / "allowed.yaml").read_text("utf-8")

COMMENT = re.compile(r" *# toolroute: allow (\w+): .*")


@pytest.mark.parametrize("which", range(len(COMMENT.findall(ALLOWED))))
def test_without_its_comment_each_is_found_again(which: int) -> None:
    comment = list(COMMENT.finditer(ALLOWED))[which]
    rule = comment[1]
    text = ALLOWED[: comment.start()] + ALLOWED[comment.end() :]
    assert set(codes(text)) == {
        rule if rule in NAMES else next(c for c, name in NAMES.items() if name == rule)
    }


def test_every_rule_that_can_be_allowed_is_allowed_there_but_a_long_one() -> None:
    by_name = {name: code for code, name in NAMES.items()}
    there = {by_name.get(rule, rule) for rule in COMMENT.findall(ALLOWED)}
    assert there == ALLOWABLE - {"TR228"}


def test_too_many_kinds_can_be_allowed() -> None:
    rows = [f"  - {{kind: kind_{n}, names: [tool_{n}]}}\n" for n in range(101)]
    assert codes(completed(f"routes:\n{''.join(rows)}")) == ["TR228"]
    rows.insert(100, "  # toolroute: allow too_many_kinds: to be split in spring\n")
    assert codes(completed(f"routes:\n{''.join(rows)}")) == []


def test_what_is_allowed_is_decided_as_the_interpreter_does() -> None:
    table = parse(load(ALLOWED, "allowed.yaml"))
    module = imported(compile_table(ALLOWED, "allowed.yaml"))
    names = {n for route in table.written.routes for n in route.names or ()}
    answers = Answers(listed={"file": ["file_x"], "remote": ["not a name", "rest"]})
    for name in (*names, "agent.walk", "file_x", "other"):
        for caller in table.written.callers:
            call = ToolCall("id", name, {})
            decided = module.decide(call, caller, AHost(answers, table.written))
            expected = interpreter.decide(table, call, caller, AWorld(answers))
            assert seen(decided, table) == read(expected)
    surface = interpreter.surface(table, "host", AWorld(answers))
    assert surface == ["agent.think", "agent.rest", "file_x"]
    assert module.surface("host", AHost(answers, table.written)) == surface


UNUSED = "capabilities: {desk: {}}"


@pytest.mark.parametrize(
    ("part", "found"),
    [
        (f"{UNUSED} # toolroute: allow TR211: soon\n", []),
        (f"{UNUSED} #toolroute:allow unused_capability:soon\n", []),
        (f"#  toolroute:  allow  TR211 :  soon\n# more\n\n{UNUSED}\n", []),
        (f"{UNUSED} # toolroute: allow unused_lookup: soon\n", ["TR211", "TR301"]),
        (f"{UNUSED} # toolroute: allow TR211:\n", ["TR301"]),
        (f"{UNUSED} # toolroute: allow TR211: \n", ["TR301"]),
        (f"{UNUSED} # toolroute: allow TR211\n", ["TR301"]),
        (f"{UNUSED} # toolroute: allow\n", ["TR211", "TR301"]),
        (f"{UNUSED} # see toolroute: allow TR211: soon\n", ["TR211"]),
        (f"{UNUSED} # x # toolroute: allow TR211: soon\n", ["TR211"]),
        (f"{UNUSED} # toolroute: allowed TR211: soon\n", ["TR211"]),
        (f"{UNUSED}\n# toolroute: allow TR211: soon\n", ["TR211", "TR301"]),
        (f"# toolroute: allow TR211: soon\n\n#\n{UNUSED}\n", []),
        (
            f"# toolroute: allow TR211: soon\n{UNUSED} # toolroute: allow TR211: too\n",
            [],
        ),
        (
            'capabilities: {desk: {doc: "x # toolroute: allow TR211: soon"}}\n',
            ["TR211"],
        ),
        (
            "capabilities:\n  desk:\n    doc: |\n      # toolroute: allow TR211: a\n",
            ["TR211"],
        ),
        (
            (
                "capabilities:\n  desk: # toolroute: allow TR211: soon\n"
                "    doc: >- # x\n      # toolroute: allow TR999: a text\n"
            ),
            [],
        ),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_comment_allows_what_stands_with_it(
    part: str, found: list[str], end: str, start: str
) -> None:
    assert codes(start + completed(part).replace("\n", end)) == found


def test_what_leaves_no_module_is_found_all_the_same() -> None:
    part = (
        "routes:\n  - {kind: a, names: [a], guard: b} # toolroute: allow TR205: soon\n"
    )
    assert codes(completed(part)) == ["TR205", "TR301"]
    wide = "# toolroute: allow TR101: soon\nwidth: 2\n"
    assert codes(completed(wide)) == ["TR101"]


def test_a_comment_at_the_very_end_stands_above_nothing() -> None:
    (found,) = judged(
        completed(f"{UNUSED} # toolroute: allow TR211: a\n# toolroute: allow TR211: b")
    )
    assert (found.code, found.headline) == (
        "TR301",
        "nothing here breaks `unused_capability`",
    )
