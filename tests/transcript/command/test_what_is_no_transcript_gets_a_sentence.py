import os
from pathlib import Path

import pytest

from .conftest import Toolroute

SHAPES = (
    "a transcript is a JSON array of messages, an object that holds one as `messages`, "
    "`input` or `contents`, or JSON Lines with one message a line"
)
CUT = "the text ends in the middle of the JSON: it seems to be cut off"

SENTENCES = [
    (b"", f"1:1: there is nothing in it: {SHAPES}"),
    (b" \n", f"1:1: there is nothing in it: {SHAPES}"),
    (b"null", f"1:1: it is null: {SHAPES}"),
    (b"true", f"1:1: it is true or false: {SHAPES}"),
    (b'"hi"', f"1:1: it is one text: {SHAPES}"),
    (b"17", f"1:1: it is a number: {SHAPES}"),
    (b"hello", "1:1: a value is expected here"),
    (b"{}", f"1:1: the object holds no `messages`, `input` or `contents`: {SHAPES}"),
    (
        b'{"input": "Hello"}',
        f"1:1: its `input` isn't an array of messages: {SHAPES}",
    ),
    (
        b'{"messages": [], "input": []}',
        "1:1: it holds `messages` and `input`, and only one can be the transcript",
    ),
    (b'[{"role": "user"', f"1:17: {CUT}"),
    (b'[{"role": "us', f"1:14: {CUT}"),
    (b'[\n {"role": "user", 7}\n]', "2:19: a key in double quotes is expected here"),
    (b'[{"role" "user"}]', "1:10: a colon is expected here"),
    (b'[{"role": "user"} {}]', "1:19: a comma or a closing bracket is expected here"),
    (b"[] []", "1:4: something stands behind the end of the JSON"),
    (b'[{"a": NaN}]', "1:8: `NaN` isn't a JSON value"),
    (b'["NaN", {"a": -Infinity}]', "1:15: `-Infinity` isn't a JSON value"),
    (
        b'[\n{"role": "user", "n": {"a": 1, "b": [{"c": 1}], "a": 2}}]',
        "2:49: the key `a` stands twice in one object",
    ),
    (
        b'[{"n": 1e999}]',
        "1:1: a number is too large to be written back as it was",
    ),
    (b"[" + b"1" * 5000 + b"]", "1:1: a number has 5000 digits"),
    (b"[" * 100_000, "1:1: the JSON is nested too deep to be a transcript"),
    (
        b'{"role": "user", "content": "a"}\n{"role": "user", "content": "b\n',
        f"2:31: {CUT}",
    ),
    (
        b'{"role": "user", "content": "a"}\n{"role": "user"} {}\n',
        "2:18: something stands behind the end of the JSON",
    ),
    (
        b'{"messages": []}\n{"messages": []}\n',
        "1:1: this line holds a whole conversation, as `messages`: give each a file",
    ),
    (
        b'[{"a": "x\ty"}]',
        "1:10: a text holds a line end or a control character",
    ),
    (
        b'[{"a": "\\q"}]',
        "1:9: a backslash is followed by something that isn't an escape",
    ),
]


@pytest.mark.parametrize("command", ["check", "settle"])
@pytest.mark.parametrize(("data", "sentence"), SENTENCES)
def test_it_says_what_was_expected_and_where(
    command: str, data: bytes, sentence: str, tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(data)
    run = toolroute(command, file)
    assert (run.status, run.out) == (2, "")
    assert run.err == f"toolroute: {file}:{sentence}.\n"
    run = toolroute(command, "-", stdin=data)
    assert run.err == f"toolroute: standard input:{sentence}.\n"


@pytest.mark.parametrize(
    ("data", "byte"),
    [(b'["\xff"]', 3), (b"\xff\xfe[\x00", 1), (b"\xef\xbb\xbf\xc3", 4)],
)
def test_what_isnt_utf8_says_where(
    data: bytes, byte: int, tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(data)
    run = toolroute("check", file)
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        f"toolroute: {file} isn't UTF-8 (byte {byte} can't be read as it): "
        "save it as UTF-8, and try again.\n"
    )


def test_a_file_that_isnt_there_or_is_a_folder_says_so(
    tmp_path: Path, toolroute: Toolroute
) -> None:
    gone = tmp_path / "gone.json"
    run = toolroute("check", gone)
    assert run.status == 2
    assert run.err == f"toolroute: {gone} can't be read: there is no such file.\n"
    run = toolroute("settle", tmp_path)
    assert run.status == 2
    assert run.err == (
        f"toolroute: {tmp_path} can't be read: it's a folder, and a file is wanted.\n"
    )


@pytest.mark.skipif(os.getuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read_says_so(
    tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_text("[]")
    file.chmod(0)
    run = toolroute("check", file)
    assert run.status == 2
    assert run.err == f"toolroute: {file} can't be read: this user may not read it.\n"


def test_a_name_with_an_escape_sequence_is_shown_escaped(toolroute: Toolroute) -> None:
    run = toolroute("check", "a\x1b[31m.json")
    assert run.err == (
        "toolroute: a\\x1b[31m.json can't be read: there is no such file.\n"
    )


def test_a_name_that_no_file_can_have_is_refused(toolroute: Toolroute) -> None:
    run = toolroute("check", "a\0b.json")
    assert run.status == 2
    assert run.err.startswith("toolroute: a\\x00b.json can't be read: ")


def test_a_large_file_is_read_when_the_limit_is_raised(
    tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_text('[{"role": "user", "content": "hi"}]' + " " * 10_000_000)
    run = toolroute("check", file)
    assert run.status == 2
    assert run.err == (
        f"toolroute: {file} is larger than 10 MB, and so isn't read: "
        "raise the limit with --max-size MB.\n"
    )
    run = toolroute("check", file, "--max-size", "10.1", "--format", "openai_chat")
    assert run.status == 0


def test_a_device_without_end_is_read_to_the_limit(toolroute: Toolroute) -> None:
    run = toolroute("check", "/dev/zero", "--max-size", "0.1")
    assert run.status == 2
    assert "/dev/zero is larger than 0.1 MB" in run.err


@pytest.mark.parametrize("data", [b"[1]", b'[{"role": "user"}, "x"]', b"[[]]"])
def test_messages_that_arent_messages_get_a_sentence(
    data: bytes, tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(data)
    for form in ("anthropic", "gemini", "pydantic_ai", "openai_responses"):
        run = toolroute("check", file, "--format", form)
        assert (run.status, run.out) == (2, "")
        assert run.err.startswith(f"toolroute: {file}: ")
        assert "Error" not in run.err


def test_nothing_tells_the_format_so_it_is_asked_for(
    tmp_path: Path, toolroute: Toolroute
) -> None:
    file = tmp_path / "t.json"
    file.write_text("[]")
    run = toolroute("check", file)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"toolroute: {file}: ")
    assert "--format" in run.err
    assert "openai_chat" in run.err
