import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Toolroute


@pytest.fixture
def settle(tmp_path: Path, toolroute: Toolroute) -> Any:
    """The bytes that `settle -o` makes of these bytes."""

    def run(data: bytes, name: str = "t.json", *options: str) -> bytes:
        file, out = tmp_path / name, tmp_path / "out"
        file.write_bytes(data)
        run = toolroute("settle", file, "-o", out, *options)
        assert run.status == 0, run.err
        return out.read_bytes()

    return run


@pytest.mark.parametrize("indent", [None, 1, 2, 4, "\t"])
def test_an_array_keeps_its_indentation(
    settle: Any, stuck: Any, settled: Any, indent: Any
) -> None:
    before = json.dumps(stuck, indent=indent) + "\n"
    after = json.dumps(settled, indent=indent) + "\n"
    assert settle(before.encode()) == after.encode()


@pytest.mark.parametrize("field", ["messages", "input", "contents"])
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_an_object_keeps_everything_else(
    settle: Any, stuck: Any, settled: Any, field: str, indent: Any
) -> None:
    def whole(messages: Any) -> bytes:
        request = {"model": "m", field: messages, "max_tokens": 1.50, "x": [field]}
        return json.dumps(request, indent=indent).encode()

    after = settle(whole(stuck), "t.json", "--format", "anthropic")
    assert after == whole(settled)


def test_compact_json_stays_compact(settle: Any, stuck: Any, settled: Any) -> None:
    before = json.dumps(stuck, separators=(",", ":"))
    after = json.dumps(settled, separators=(",", ":"))
    assert settle(before.encode()) == after.encode()


def test_json_lines_stay_lines_and_untouched_ones_stay_as_they_are(
    settle: Any, stuck: Any, settled: Any
) -> None:
    odd = b'{ "role":"user",   "content" : "Open valve 2\\u002e" }'
    rest = [json.dumps(message).encode() for message in stuck[1:]]
    after = settle(b"\n".join([odd, *rest]) + b"\n\n", "t.jsonl")
    made = json.dumps(settled[2], separators=(",", " : ")).encode()
    lines = after.split(b"\n")
    assert lines[:2] == [odd, rest[0]]
    assert json.loads(lines[2]) == json.loads(made)
    assert lines[3:] == [b"", b""]


def test_an_array_with_a_message_a_line_keeps_the_lines(
    settle: Any, stuck: Any, settled: Any
) -> None:
    def lines(messages: Any) -> bytes:
        return ("[\n  " + ",\n  ".join(map(json.dumps, messages)) + "\n]").encode()

    assert settle(lines(stuck)) == lines(settled)


def test_line_ends_and_a_byte_order_mark_are_kept(
    settle: Any, stuck: Any, settled: Any
) -> None:
    def dos(messages: Any) -> bytes:
        text = json.dumps(messages, indent=2).replace("\n", "\r\n")
        return b"\xef\xbb\xbf" + text.encode() + b"\r\n"

    assert settle(dos(stuck)) == dos(settled)


def test_json_lines_with_dos_line_ends_keep_them(settle: Any, stuck: Any) -> None:
    before = b"".join(json.dumps(message).encode() + b"\r\n" for message in stuck[:2])
    after = settle(before, "t.jsonl")
    assert after.startswith(before)
    assert after.count(b"\r\n") == after.count(b"\n") == 3


@pytest.mark.parametrize("escaped", [True, False])
def test_what_isnt_ascii_is_written_as_the_file_does(
    settle: Any, stuck: Any, settled: Any, escaped: Any
) -> None:
    def text(messages: Any) -> bytes:
        messages = json.loads(
            json.dumps(messages).replace("Stop.", "Arrêté \U0001f335")
        )
        return json.dumps(messages, ensure_ascii=escaped).encode()

    assert settle(text(stuck)) == text(settled)


def test_half_a_surrogate_pair_stays_an_escape(settle: Any, stuck: Any) -> None:
    text = json.dumps(stuck, ensure_ascii=False).replace("Stop.", "Arrêté \\ud83c")
    assert "Arrêté \\ud83c" in settle(text.encode()).decode()


def test_numbers_of_untouched_messages_keep_their_digits(
    settle: Any, stuck: Any
) -> None:
    text = json.dumps(stuck).replace('{"valve": 2}', '{"valve": 2.50E+0}')
    assert b'{"valve": 2.50E+0}' in settle(text.encode())


@pytest.mark.parametrize(
    "data",
    [
        b'[ {"role":"user" ,"content":"hi"}\n]',
        (
            b'\xef\xbb\xbf{"messages" : [{"role":"system","content":"a"},\r\n'
            b'{"role":"user","content":"\\u00e9"}],"n":1e2}\r\n\r\n'
        ),
        b'{"role":"user","content":"hi"}\n\n{"role":"assistant","content":"ho"}',
    ],
)
def test_what_is_legal_comes_out_to_the_byte(
    data: bytes, settle: Any, toolroute: Toolroute
) -> None:
    assert settle(data, "t.json", "--format", "openai_chat") == data
    run = toolroute("settle", "-", "--format", "openai_chat", stdin=data)
    assert run.out.encode() == data


def test_a_message_that_is_taken_out_takes_its_comma_along(settle: Any) -> None:
    orphan = {"role": "tool", "tool_call_id": "gone", "content": "31%"}
    asked = {"role": "user", "content": "And bed 2?"}

    for messages in ([orphan, asked], [asked, orphan], [asked, orphan, asked]):
        kept = [message for message in messages if message is asked]
        before = json.dumps(messages, indent=2).encode()
        options = ("--orphans", "drop", "--format", "openai_chat")
        assert settle(before, "t.json", *options) == json.dumps(kept, indent=2).encode()
