import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Toolroute


@pytest.fixture
def file(tmp_path: Path, stuck: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("t.json").write_text(json.dumps(stuck))
    return "t.json"


def result(out: str) -> Any:
    return json.loads(out)[2]["content"][0]


def test_an_answer_is_text_less_its_last_line_end(
    file: str, toolroute: Toolroute
) -> None:
    Path("answer.txt").write_text("valve 2: open\n")
    run = toolroute("settle", file, "--answer", "toolu_a1=answer.txt")
    assert run.status == 0
    assert result(run.out) == {
        "type": "tool_result",
        "tool_use_id": "toolu_a1",
        "content": "valve 2: open",
    }


def test_an_answer_in_a_json_file_is_json(file: str, toolroute: Toolroute) -> None:
    Path("answer.json").write_text('{"open": [2]}\n')
    run = toolroute("settle", file, "--answer", "toolu_a1=answer.json")
    assert json.loads(result(run.out)["content"]) == {"open": [2]}


def test_an_answer_may_come_from_standard_input(
    file: str, toolroute: Toolroute
) -> None:
    run = toolroute("settle", file, "--answer", "toolu_a1=-", stdin=b"open")
    assert result(run.out)["content"] == "open"


def test_an_answer_that_no_call_gets_is_named(file: str, toolroute: Toolroute) -> None:
    Path("answer.txt").write_text("open")
    run = toolroute("settle", file, "--answer", "toolu_b2=answer.txt")
    assert run.status == 0
    assert (
        "toolroute: the answer for `toolu_b2` wasn't used: no call with this id is "
        "without a result.\n"
    ) in run.err


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            ["toolu_a1"],
            (
                "--answer takes ID=FILE, the id of a call and the file that holds its "
                "result, and not `toolu_a1`."
            ),
        ),
        (
            ["toolu_a1=gone.txt"],
            "gone.txt can't be read: there is no such file.",
        ),
        (
            ["toolu_a1=t.json", "toolu_a1=t.json"],
            "--answer names `toolu_a1` twice.",
        ),
        (["toolu_a1=bad.json"], "bad.json:1: a value is expected here."),
    ],
)
def test_an_answer_that_cant_be_read_gets_a_sentence(
    file: str, given: list[str], sentence: str, toolroute: Toolroute
) -> None:
    Path("bad.json").write_text("open")
    options = [option for answer in given for option in ("--answer", answer)]
    run = toolroute("settle", file, *options)
    assert (run.status, run.out) == (2, "")
    assert run.err == f"toolroute: {sentence}\n"


def test_standard_input_cant_be_two_things(file: str, toolroute: Toolroute) -> None:
    data = Path(file).read_bytes()
    run = toolroute("settle", "-", "--answer", "toolu_a1=-", stdin=data)
    assert run.status == 2
    assert "standard input holds the transcript or an answer, and not both" in run.err


def test_an_open_call_is_left_open(file: str, stuck: Any, toolroute: Toolroute) -> None:
    Path(file).write_text(json.dumps(stuck[:2]))
    run = toolroute("check", file, "--open-call", "toolu_a1")
    assert (run.status, run.out) == (0, "")
    run = toolroute("settle", file, "--open-call", "toolu_a1")
    assert json.loads(run.out) == stuck[:2]


OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "31%"}


@pytest.mark.parametrize(
    "context",
    [
        {"previous_response_id": "resp_0"},
        {"conversation": "conv_0"},
        {"conversation": {"id": "conv_0"}},
    ],
)
def test_what_an_object_says_of_the_servers_items_counts(
    file: str, context: Any, toolroute: Toolroute
) -> None:
    Path(file).write_text(json.dumps({"input": [OUTPUT]}))
    assert toolroute("check", file).status == 1
    assert toolroute("check", file, "--previous-response-id", "resp_0").status == 0
    Path(file).write_text(json.dumps({**context, "input": [OUTPUT]}))
    assert toolroute("check", file).status == 0


def test_the_field_tells_the_format_where_the_messages_dont(
    file: str, toolroute: Toolroute
) -> None:
    for field, form in (("contents", "gemini"), ("input", "openai_responses")):
        Path(file).write_text(json.dumps({field: []}))
        run = toolroute("check", file)
        assert run.status == 0
        assert run.err == (
            f"t.json: {form} (detected), 0 messages: nothing to settle\n"
        )


def test_orphans_can_be_dropped(file: str, toolroute: Toolroute) -> None:
    orphan = {"role": "tool", "tool_call_id": "gone", "content": "31%"}
    asked = {"role": "user", "content": "And?"}
    Path(file).write_text(json.dumps([orphan, asked]))
    kept = toolroute("settle", file, "--format", "openai_chat")
    assert "31%" in kept.out
    dropped = toolroute("settle", file, "--format", "openai_chat", "--orphans", "drop")
    assert json.loads(dropped.out) == [asked]


def test_a_target_rewrites_what_another_provider_wouldnt_take(
    file: str, toolroute: Toolroute
) -> None:
    Path(file).write_text(
        '[{"role": "user", "content": "Go."}, {"role": "assistant", "content": "",'
        '"tool_calls": [{"id": "functions.read:0", "type": "function", "function":'
        '{"name": "read", "arguments": "{}"}}]},'
        '{"role": "tool", "tool_call_id": "functions.read:0", "content": "1"}]'
    )
    options = (file, "--format", "openai_chat")
    assert toolroute("check", *options).status == 0
    assert toolroute("check", *options, "--target", "anthropic").status == 1
    run = toolroute("settle", *options, "--target", "anthropic")
    assert "functions.read:0" not in run.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--format", "antropic"], "there is no choice 'antropic'"),
        (["--target", "nobody"], "There is no target named 'nobody'"),
        (["--max-size", "lots"], "`lots` isn't a size in MB"),
        (["--max-size", "-1"], "`-1` isn't a size in MB"),
        (["--max-size", "nan"], "`nan` isn't a size in MB"),
        (["--max-size", "inf"], "`inf` isn't a size in MB"),
        (["--what\x1b[2J"], "unrecognized arguments: --what\\x1b[2J"),
        (["--form", "anthropic"], "unrecognized arguments: --form"),
    ],
)
def test_a_wrong_option_gets_a_sentence(
    file: str, options: list[str], words: str, toolroute: Toolroute
) -> None:
    run = toolroute("check", file, *options)
    assert (run.status, run.out) == (2, "")
    assert words in run.err
    assert "invalid" not in run.err


def test_help_goes_to_standard_output(toolroute: Toolroute) -> None:
    for arguments in (["--help"], ["check", "--help"], ["settle", "-h"]):
        run = toolroute(*arguments)
        assert (run.status, run.err) == (0, "")
        assert run.out.startswith("usage: toolroute transcript")
    for word in ("--answer ID=FILE", "--in-place", "exit status:", "JSON Lines"):
        assert word in run.out


def test_no_command_says_which_there_are(toolroute: Toolroute) -> None:
    run = toolroute()
    assert (run.status, run.out) == (2, "")
    assert "check | settle" in run.err


def test_an_interruption_is_no_traceback(
    file: str, toolroute: Toolroute, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolroute.transcript import _command  # noqa: PLC0415

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(_command, "read", interrupted)
    run = toolroute("check", file)
    assert (run.status, run.out, run.err) == (130, "", "")
