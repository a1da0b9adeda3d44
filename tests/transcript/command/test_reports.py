import gc
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from .conftest import Toolroute


@pytest.fixture
def file(tmp_path: Path, stuck: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("t.json").write_text(json.dumps({"messages": stuck}, indent=1))
    return "t.json"


SAYS = (
    "`tool_use` ids were found without `tool_result` blocks immediately after: "
    "toolu_a1. Each `tool_use` block must have a corresponding `tool_result` block in "
    "the next message."
)


def test_check_prints_what_where_what_is_said_and_what_will_be_done(
    file: str, toolroute: Toolroute
) -> None:
    run = toolroute("check", file)
    assert run.status == 1
    first, says, remedy = run.out.splitlines()
    assert first == "t.json:7: messages[1]: unanswered_call `toolu_a1` (open_valve)"
    assert says == f"    anthropic: {SAYS}"
    assert remedy.startswith("    settling: answered as outcome unknown")
    assert run.err.splitlines() == [
        "t.json: anthropic (detected), 3 messages: 1 to settle",
        "To settle: toolroute transcript settle --in-place t.json",
    ]


def test_what_check_says_to_type_next_is_what_settles(
    file: str, settled: Any, toolroute: Toolroute
) -> None:
    Path(file).rename("my talk.json")
    checked = toolroute("check", "--format=anthropic", "--", "my talk.json")
    typed = checked.err.splitlines()[1].removeprefix("To settle: ")
    program, command, *arguments = shlex.split(typed)
    assert (program, command) == ("toolroute", "transcript")
    assert toolroute(*arguments).status == 0
    assert json.loads(Path("my talk.json").read_text())["messages"] == settled


def test_of_standard_input_it_says_to_settle_that(
    stuck: Any, toolroute: Toolroute
) -> None:
    run = toolroute("check", "-", stdin=json.dumps(stuck).encode())
    assert run.err.splitlines()[1] == "To settle: toolroute transcript settle -"


def test_check_as_json_is_versioned(file: str, toolroute: Toolroute) -> None:
    run = toolroute("check", file, "--output-format", "json")
    assert run.status == 1
    report = json.loads(run.out)
    (violation,) = report.pop("violations")
    assert report == {"version": 1, "file": "t.json", "format": "anthropic"}
    remedy = violation.pop("remedy")
    assert remedy.startswith("answered as outcome unknown")
    assert violation == {
        "kind": "unanswered_call",
        "call_id": "toolu_a1",
        "message": 1,
        "index": 0,
        "block": 0,
        "name": "open_valve",
        "says": SAYS,
    }


def test_check_of_a_legal_transcript_exits_0(
    file: str, settled: Any, toolroute: Toolroute
) -> None:
    Path(file).write_text(json.dumps(settled))
    run = toolroute("check", file)
    assert (run.status, run.out) == (0, "")
    assert run.err == "t.json: anthropic (detected), 3 messages: nothing to settle\n"
    run = toolroute("check", file, "--output-format", "json")
    assert json.loads(run.out)["violations"] == []


def test_settle_as_json_holds_the_changes_and_the_messages(
    file: str, settled: Any, toolroute: Toolroute
) -> None:
    run = toolroute("settle", file, "--output-format", "json")
    assert run.status == 0
    report = json.loads(run.out)
    (change,) = report.pop("changes")
    assert change.pop("text")
    assert change == {
        "did": "answered",
        "call_id": "toolu_a1",
        "message": 1,
        "removed": None,
    }
    assert report == {
        "version": 1,
        "file": "t.json",
        "format": "anthropic",
        "changed": True,
        "send_later": [],
        "remaining": [],
        "written": None,
        "messages": settled,
    }


def test_settle_as_json_with_a_place_leaves_the_messages_there(
    file: str, toolroute: Toolroute
) -> None:
    run = toolroute("settle", file, "--output-format", "json", "-o", "out.json")
    report = json.loads(run.out)
    assert "messages" not in report
    assert report["written"] == "written to out.json"


def test_what_the_model_wrote_is_shown_escaped(
    file: str, stuck: Any, toolroute: Toolroute
) -> None:
    call = stuck[1]["content"][0]
    call["id"], call["name"] = "a\u202e\n\x1b[2J", "x\x07y"
    Path(file).write_text(json.dumps(stuck))
    for command in (("check",), ("settle", "-o", "out.json")):
        run = toolroute(command[0], file, *command[1:])
        for line in [*run.out.splitlines(), *run.err.splitlines()]:
            assert line.isprintable()
    assert "`a\\u202e\\n\\x1b[2J` (x\\x07y)" in toolroute("check", file).out


def test_json_lines_are_named_by_their_line(
    file: str, stuck: Any, toolroute: Toolroute
) -> None:
    Path(file).write_text("\n\n" + "\n".join(map(json.dumps, stuck)))
    run = toolroute("check", file)
    assert run.out.startswith("t.json:4: messages[1]: unanswered_call")


def test_what_must_be_sent_later_is_said_whole(
    file: str, stuck: Any, toolroute: Toolroute
) -> None:
    search = {
        "type": "server_tool_use",
        "id": "srvtoolu_s1",
        "name": "web_search",
        "input": {"query": "frost"},
    }
    stuck[1]["content"].insert(0, search)
    Path(file).write_text(json.dumps(stuck))
    run = toolroute("settle", file, "-o", "out.json")
    out = json.loads(Path("out.json").read_text())
    assert run.status == 0
    later = [m for m in map(str.strip, run.out.splitlines()) if m.startswith("{")]
    assert ("Stop." in json.dumps(out)) != any("Stop." in line for line in later)


@pytest.mark.parametrize("on", [True, False])
def test_what_collects_garbage_is_left_as_it_was(
    file: str, toolroute: Toolroute, *, on: bool
) -> None:
    was = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        toolroute("check", file)
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()
