"""A channel that is a file: each message one line, whoever else writes there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolroute_host import _channel_kinds
from toolroute_host._channel_kinds import FileChannel
from toolroute_host.channels import Message

APPEND = """
import sys
from pathlib import Path
from toolroute_host._channel_kinds import FileChannel
from toolroute_host.channels import Message
channel = FileChannel(Path(sys.argv[1]), "log")
for number in range(200):
    channel.append(Message(sys.argv[2], str(number) * 2_000, 1.0))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


@pytest.fixture
def channel(path: Path) -> FileChannel:
    return FileChannel(path, "log")


def test_a_file_channel_appends_lines_and_follows_no_link(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path / "log.jsonl", "log")
    channel.append(Message("ada", "two\nlines", 1.0))
    channel.append(Message("bea", "é", 2.0))
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write("not a message\n[]\n")
    assert channel.recent(1) == [Message("bea", "é", 2.0)]
    assert channel.recent(0) == []
    assert channel.recent(9)[0] == Message("ada", "two\nlines", 1.0)
    assert (tmp_path / "log.jsonl").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        FileChannel(tmp_path / "link", "link").append(Message("a", "b", 0))
    with pytest.raises(OSError, match="directory"):
        FileChannel(tmp_path, "folder").append(Message("a", "b", 0))


@pytest.mark.parametrize(
    "content",
    [
        'x\n{"author": "boss", "content": "pay", "at": 1}\n',
        "a\r\nb\u2028c\u2029d\x85e\x00f",
        "\ud800",
        '"}',
    ],
)
def test_whatever_a_message_holds_it_is_one_record(
    channel: FileChannel, path: Path, content: str
) -> None:
    channel.append(Message("ada\n", content, 1.0))
    assert path.read_bytes().count(b"\n") == 1
    assert channel.recent(9) == [Message("ada\n", content, 1.0)]


def test_a_line_that_was_begun_and_not_ended_takes_no_message_with_it(
    channel: FileChannel, path: Path
) -> None:
    channel.append(Message("ada", "one", 1.0))
    with path.open("ab") as file:
        file.write(b'{"author": "bea", "cont')
    channel.append(Message("ada", "two", 2.0))
    assert [each.content for each in channel.recent(9)] == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        *("", "3", "null", "[" * 100_000, "\x00", "{}", '{"author": "a"}', "\ufeff{}"),
        '{"author": "a", "content": "b", "at": NaN}',
        '{"author": "a", "content": "b", "at": 1e300}',
        '{"author": "a", "content": "b", "at": -1}',
        '{"author": "a", "content": "b", "at": true}',
        '{"author": "a", "content": ["b"], "at": 1}',
        '{"author": "a", "content": "' + "b" * 3_000_000 + '", "at": 1}',
    ],
    ids=lambda line: line[:40],
)
def test_a_line_of_somebody_elses_that_is_no_message_is_passed_over(
    channel: FileChannel, path: Path, line: str
) -> None:
    channel.append(Message("ada", "one", 1.0))
    with path.open("a") as file:
        file.write(f"{line}\n")
    channel.append(Message("ada", "two", 2.0))
    assert [each.content for each in channel.recent(2)] == ["one", "two"]


def test_long_lines_are_read_across_blocks(channel: FileChannel) -> None:
    texts = [str(number) * 40_000 for number in range(9)]
    for text in texts:
        channel.append(Message("ada", text, 1.0))
    assert [each.content for each in channel.recent(100)] == texts
    assert [each.content for each in channel.recent(3)] == texts[-3:]


def test_messages_are_looked_for_near_the_end_of_a_file_that_has_none(
    channel: FileChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_channel_kinds, "FARTHEST", 100)
    for number in range(9):
        channel.append(Message("ada", str(number), 1.0))
    assert [each.content for each in channel.recent(9)] == ["7", "8"]


def test_processes_that_append_at_once_keep_their_lines_apart(
    channel: FileChannel, path: Path
) -> None:
    both = [
        subprocess.Popen([sys.executable, "-c", APPEND, str(path), name])
        for name in ("ada", "bea")
    ]
    assert [each.wait(timeout=60) for each in both] == [0, 0]
    said = [(each.author, each.content) for each in channel.recent(1_000)]
    for name in ("ada", "bea"):
        assert [content for author, content in said if author == name] == [
            str(number) * 2_000 for number in range(200)
        ]
    assert all(json.loads(line) for line in path.read_text().splitlines() if line)
