"""A host that is spoken to in lines: each request gets its answer, or its trouble."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolroute_host import _serve


class Talk:
    """Lines in, with waits for what is said in between."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[dict[str, Any]] = []
        self._more = threading.Condition()

    def say(self, line: str) -> None:
        assert line.endswith("\n")
        with self._more:
            self.said.append(json.loads(line))
            self._more.notify_all()

    def wait_for(self, count: int) -> None:
        with self._more:
            assert self._more.wait_for(lambda: len(self.said) >= count, timeout=60)

    def over(self, lines: Iterator[bytes]) -> list[dict[str, Any]]:
        asyncio.run(_serve.serve(self.folder, lines, self.say))
        return self.said


def line(**request: Any) -> bytes:
    return json.dumps(request).encode() + b"\n"


def test_requests_are_answered_and_wakes_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_serve, "TICK", 0.01)
    talk = Talk(tmp_path)

    def lines() -> Iterator[bytes]:
        yield line(
            id=1, name="channel_open", input={"channelId": "local"}, agent="agent"
        )
        talk.wait_for(1)
        yield line(channel="local", author="mia", content="hello")
        talk.wait_for(2)
        yield line(
            id="s", name="skip_reply", input={"wake_in_seconds": 0.01}, **{"as": "turn"}
        )
        talk.wait_for(4)

    said = talk.over(lines())
    assert said[0]["id"] == 1
    assert said[0]["is_error"] is False
    assert said[1] == {"wake": "agent", "why": "mia on local"}
    assert {"wake": "agent", "why": "it asked to be"} in said[2:]
    assert [each["is_error"] for each in said[2:] if each.get("id") == "s"] == [False]


TROUBLE = {
    b"nonsense": (
        "a request is a line of JSON: Expecting value: line 1 column 1 (char 0)"
    ),
    b"[]": "a request is a JSON object",
    b"\xff": (
        "a request is a line of JSON: 'utf-8' codec can't decode byte 0xff in position "
        "0: invalid start byte"
    ),
    b'{"name": "think", "input": {"content": NaN}}': (
        "a request is a line of JSON: NaN isn't a number of JSON's"
    ),
    b'{"name": "think", "input": {"content": 1e999}}': (
        "a request is a line of JSON: 1e999 is too large a number"
    ),
    b"[" * 100_000: "a request is a line of JSON: it's nested too deep",
    b'{"id": 1, "name": "think", "id": 2}': (
        "a request is a line of JSON: the key 'id' is in one object twice"
    ),
    b'{"name": 1}': "`name` is a string, and `input` an object",
    b'{"name": "think", "as": "god"}': (
        "`as` is one of turn, script, host, puppet, module"
    ),
    b'{"name": "think", "as": []}': "`as` is one of turn, script, host, puppet, module",
    b'{"name": "think", "agent": 1}': "`agent` is a string, or null",
    b'{"name": "think", "agent": "zoe"}': (
        "there is no agent zoe on this host. There is: agent."
    ),
    b'{"channel": "attic", "author": "a", "content": "b"}': (
        "there is no channel attic"
    ),
    b'{"channel": 1}': (
        "`channel`, `author` and `content` are strings, `tags` a list of them"
    ),
}


def test_what_is_no_request_gets_its_trouble_and_harms_no_other(
    tmp_path: Path,
) -> None:
    talk = Talk(tmp_path)

    def lines() -> Iterator[bytes]:
        for place, request in enumerate(TROUBLE, start=1):
            yield request + b"\n"
            talk.wait_for(place)
        yield b"\n"
        yield line(id=7, name="think")

    said = talk.over(lines())
    assert [each.get("trouble") for each in said[:-1]] == list(TROUBLE.values())
    assert said[-1]["content"]["noted"] is True


def test_an_agents_turns_wait_for_each_other(tmp_path: Path) -> None:
    requests = [
        line(
            id=number,
            name="code_execution",
            input={"code": "print(1)"},
            **{"as": "turn"},
        )
        for number in range(3)
    ]
    said = Talk(tmp_path).over(iter(requests))
    assert sorted(each["id"] for each in said) == [0, 1, 2]
    assert [each["content"]["output"] for each in said] == ["1\n"] * 3


def test_only_turns_wait_for_a_turn_and_a_puppet_is_told_that_its_agent_is_busy(
    tmp_path: Path,
) -> None:
    talk = Talk(tmp_path)
    code = (
        "import time\nwhile not call_tool('files--list')['entries']: time.sleep(0.05)"
    )

    def lines() -> Iterator[bytes]:
        yield line(id=1, name="code_execution", input={"code": code}, **{"as": "turn"})
        yield line(id=2, name="journal", input={"content": "x"}, agent="agent")
        talk.wait_for(1)
        yield line(id=3, name="think", **{"as": "puppet"})
        talk.wait_for(2)
        yield line(id=4, name="files--write", input={"path": "a", "content": "b"})

    said = {each["id"]: each for each in talk.over(lines())}
    assert next(iter(said)) == 2
    assert said[3]["content"]["error"]["message"].startswith(
        "puppet refused: agent agent is "
    )
    assert said[1]["is_error"] is False


def test_the_command_serves_until_its_input_ends(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolroute", "serve", "--host", str(tmp_path / "host")],
        input='{"id": 1, "name": "think", "as": "turn"}\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["id"] == 1


@contextmanager
def served(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A host that has answered once."""
    with subprocess.Popen(
        [sys.executable, "-m", "toolroute", "serve", "--host", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        host.stdin.write(line(id=1, name="think"))
        host.stdin.flush()
        assert json.loads(host.stdout.readline())["id"] == 1
        yield host


def test_a_host_that_is_told_to_end_ends_as_with_its_input(tmp_path: Path) -> None:
    with served(tmp_path) as host:
        host.send_signal(signal.SIGTERM)
        assert host.wait(timeout=60) == 0
        assert host.stderr is not None
        assert host.stderr.read() == b""


def test_a_host_that_nobody_reads_stops_and_says_so(tmp_path: Path) -> None:
    with served(tmp_path) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        assert host.stderr is not None
        host.stdout.close()
        host.stdin.write(line(id=2, name="think"))
        host.stdin.flush()
        assert host.wait(timeout=60) == 2
        assert host.stderr.read() == (
            b"toolroute: nobody reads the answers any more, so the host stopped.\n"
        )
