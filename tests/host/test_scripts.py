"""A script does what it may, is told what it may not, and leaves nothing behind."""

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Answer, Context, Event
from toolroute_host.scripts import ScriptLimits, ScriptRunner

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where scripts' folders are made: empty before and after each test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def limited(roads: "Roads", **limits: Any) -> None:
    roads.world.code_execution = ScriptRunner(ScriptLimits(**limits))


def printed(answer: Answer) -> str:
    assert not answer.is_error, answer.content
    assert answer.content["error"] is None
    output: str = answer.content["output"]
    return output


def error(answer: Answer) -> str:
    assert answer.is_error
    words: str = answer.content["error"]
    return words


def refused(answer: Answer) -> str:
    words: str = answer.content["error"]["message"]
    return words


def execute(roads: "Roads", code: str, **given: Any) -> Answer:
    return roads.turn("ada", "code_execution", code=code, **given)


def test_what_a_script_prints_is_the_answer(roads: "Roads") -> None:
    assert printed(execute(roads, "print(6 * 7)\nprint('é')")) == "42\né\n"


@pytest.mark.parametrize("road", ["turn", "host", "puppet", "module"])
def test_a_script_runs_for_everybody_but_a_script(roads: "Roads", road: str) -> None:
    given = {"code": "print(1)"}
    assert printed(roads.on(road, "ada", "code_execution", **given)) == "1\n"
    assert refused(roads.script("ada", "code_execution", **given)) == (
        "code_execution cannot be called from within a script"
    )


def test_a_scripts_calls_are_the_agents_and_come_back_to_it(roads: "Roads") -> None:
    code = """
call_tool("journal", content="from a script")
print(call_tool("files--read", path="hello.txt")["content"], end="")
try:
    call_tool("files--read", path="none.txt")
except ToolFailed as failed:
    print(failed)
try:
    call_tool("code_execution", code="print(1)")
except ToolFailed as failed:
    print(failed)
"""
    assert printed(execute(roads, code)) == (
        "Hello from the shared folder.\n"
        "files--read: none.txt isn't there.\n"
        "code_execution cannot be called from within a script\n"
    )
    assert roads.world.notes.read("ada", "journal") == ["from a script"]


def test_a_script_ends_the_turn_with_its_own_result(roads: "Roads") -> None:
    after = 'call_tool("skip_reply")\nprint("still here")'
    answer = execute(roads, after)
    assert printed(answer) == "still here\n"
    assert answer.ends_turn
    awaited = roads.host("ada", "code_execution", code='call_tool("skip_reply")')
    assert "ends the turn it's called in" in error(awaited)


def test_two_scripts_of_one_message_are_both_answered(roads: "Roads") -> None:
    answers = roads.round(
        "ada",
        ("code_execution", {"code": "print(call_tool('files--list')['complete'])"}),
        ("code_execution", {"code": "print('two')"}),
    )
    assert [printed(answer) for answer in answers] == ["True\n", "two\n"]


def test_a_script_sees_an_empty_environment_and_an_empty_folder(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEDGER_KEY", "what nobody else may know")
    code = "import os\nprint(dict(os.environ), os.listdir())"
    assert printed(execute(roads, code)) == "{} []\n"


def test_a_script_has_files_of_its_own(roads: "Roads") -> None:
    code = """
import os
os.mkdir("d")
with open("d/a.txt", "w") as file:
    file.write("mine")
os.rename("d/a.txt", "d/b.txt")
print(open("d/b.txt").read(), os.listdir("d"))
"""
    assert printed(execute(roads, code)) == "mine ['b.txt']\n"


PROCESSES = "it starts no processes and opens no connections. Call a tool instead.\n"
FORBIDDEN = {
    "import os; os.fork()": PROCESSES,
    "import os\nwhile True: os.fork()": PROCESSES,
    "import subprocess; subprocess.run(['ls'])": PROCESSES,
    "import os; os.system('ls')": PROCESSES,
    "import os; os.execv('/bin/ls', ['ls'])": PROCESSES,
    "import os; os.posix_spawn('/bin/ls', ['ls'], {})": PROCESSES,
    "import os; os.kill(os.getppid(), 9)": PROCESSES,
    "import ctypes; ctypes.CDLL(None).fork()": PROCESSES,
    "import socket; socket.create_connection(('127.0.0.1', 1))": PROCESSES,
    "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))": PROCESSES,
    "open('/etc/passwd').read()": (
        "a script has its own folder only, not '/etc/passwd'\n"
    ),
    "open('../outside', 'w')": "a script has its own folder only, not '../outside'\n",
    "import os; os.symlink('/etc', 'e')": (
        "a script has its own folder only, not '/etc'\n"
    ),
    "import os; os.listdir('/')": "a script has its own folder only, not '/'\n",
    "import os; os.rename('/tmp/a', 'a')": (
        "a script has its own folder only, not '/tmp/a'\n"
    ),
    "import os; print(open(f'/proc/{os.getppid()}/environ').read())": (
        f"a script has its own folder only, not '/proc/{os.getpid()}/environ'\n"
    ),
}


@pytest.mark.parametrize("code", FORBIDDEN)
def test_what_a_script_may_not_is_refused_in_words(roads: "Roads", code: str) -> None:
    said = error(execute(roads, code))
    assert said.startswith("Traceback (most recent call last):\n")
    assert said.endswith(FORBIDDEN[code])
    assert "_script_child" not in said


def test_a_script_that_never_ends_is_stopped(roads: "Roads") -> None:
    answer = execute(roads, "while True: pass", seconds=0.3)
    assert error(answer) == "the script took longer than 0.3 seconds"


def test_what_was_printed_before_it_was_stopped_is_told(roads: "Roads") -> None:
    code = "print('before', flush=True)\nwhile True: pass"
    answer = execute(roads, code, seconds=0.7)
    assert answer.content == {
        "output": "before\n",
        "error": "the script took longer than 0.7 seconds",
    }


def test_a_script_that_prints_a_gigabyte_is_stopped(roads: "Roads") -> None:
    code = "while True: print('x' * 1_000_000)"
    answer = execute(roads, code)
    assert error(answer) == "the script printed more than 1,000,000 bytes"
    assert len(answer.content["output"]) == 1_000_000


def test_a_script_that_takes_too_much_memory_is_told(roads: "Roads") -> None:
    assert error(execute(roads, "x = bytearray(1 << 31)")).endswith("MemoryError\n")


def test_a_script_that_fills_the_disk_is_stopped(roads: "Roads") -> None:
    limited(roads, disk=1_000_000)
    many = """
import time
for number in range(100):
    with open(str(number), "wb") as file:
        file.write(bytes(100_000))
time.sleep(60)
"""
    assert error(execute(roads, many)) == (
        "the script wrote more than 1,000,000 bytes of files"
    )
    one = "open('a', 'wb').write(bytes(2_000_000))"
    assert error(execute(roads, one)).endswith("File too large\n")


def test_a_script_that_makes_very_many_files_is_stopped(roads: "Roads") -> None:
    code = """
import time
for number in range(1_500):
    open(str(number), "w").close()
time.sleep(60)
"""
    assert error(execute(roads, code)) == "the script made more than 1,000 files"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(3)", "the script ended with status 3 before its end"),
        ("import os; os.abort()", "the script died of SIGABRT"),
        ("import sys; sys.exit('enough')", "the script exited with enough"),
        ("x = 1 +", "SyntaxError: invalid syntax\n"),
        ("1 / 0", "ZeroDivisionError: division by zero\n"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt\n"),
        ("def f(): f()\nf()", "RecursionError: maximum recursion depth exceeded\n"),
    ],
)
def test_each_bad_end_is_told(roads: "Roads", code: str, words: str) -> None:
    assert error(execute(roads, code)).endswith(words)


def test_a_script_that_breaks_its_line_is_stopped(roads: "Roads") -> None:
    code = """
import os, time
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b"nonsense" + bytes([10]))
    except OSError:
        pass
time.sleep(60)
"""
    assert error(execute(roads, code)) == (
        "the script broke the line that its calls go over"
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "code_execution requires a non-empty `code` string"),
        ({"code": " \n"}, "code_execution requires a non-empty `code` string"),
        ({"code": 7}, "code_execution requires a non-empty `code` string"),
        (
            {"code": "1", "seconds": 61},
            "code_execution: `seconds` must be a positive number up to 60",
        ),
        (
            {"code": "1", "background": "yes"},
            "code_execution: `background` must be true or false",
        ),
        (
            {"action": "dance"},
            'code_execution: `action` must be "run", "status", or "cancel"',
        ),
        (
            {"action": "status", "script": "script_9"},
            (
                "code_execution: no script of yours is named script_9. The last ones "
                "that ran in the background are known, by the name that each was given."
            ),
        ),
    ],
)
def test_what_is_no_script_is_refused(
    roads: "Roads", given: dict[str, Any], words: str
) -> None:
    assert refused(roads.turn("ada", "code_execution", **given)) == words


class Slow:
    """A module whose tool answers when a test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.who = ""

    @property
    def name(self) -> str:
        return "slow"

    def tools(self) -> tuple[str, ...]:
        return ("wait",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        del tool, context
        self.who = call.input["who"]
        self.asked.set()
        await self.go.wait()
        return ToolResult(f"for {call.input['who']}")


def environment(pid: str) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def coded(code: str, **given: Any) -> ToolCall:
    return ToolCall("1", "code_execution", {"code": code, **given})


WAITS = "print(call_tool('slow--wait', who='{}'))"


NO = PROCESSES.strip()
GATHERED = """
import asyncio

async def count(length):
    given = {"text": "a" * length}
    return await asyncio.to_thread(
        call_tool, "utils", action="run", name="count", args=given
    )

async def main():
    answers = await asyncio.gather(*map(count, range(5)))
    print([answer["result"]["characters"] for answer in answers])

asyncio.run(main())
"""


def test_calls_made_at_once_get_each_its_own_answer(roads: "Roads") -> None:
    assert printed(execute(roads, GATHERED)) == "[0, 1, 2, 3, 4]\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("call_tool(5)", "TypeError: call_tool takes the tool's name first, a string"),
        (
            "call_tool('think', content=float('nan'))",
            "ValueError: Out of range float values are not JSON compliant",
        ),
        (
            "import socket; socket.socket(socket.AF_UNIX).connect('/run/x')",
            f"PermissionError: a script can't do this here (socket.connect): {NO}",
        ),
        (
            "import _posixsubprocess; _posixsubprocess.fork_exec(1)",
            f"PermissionError: a script can't do this here (fork_exec): {NO}",
        ),
    ],
)
def test_what_cannot_be_called_is_told_in_the_script(
    roads: "Roads", code: str, words: str
) -> None:
    assert error(execute(roads, code)).strip().splitlines()[-1] == words


def test_a_script_that_closes_what_it_was_given_is_told_of(roads: "Roads") -> None:
    assert printed(execute(roads, "import sys; sys.stdout.close()")) == ""
    closed = execute(roads, "import os; os.closerange(3, 64)")
    assert error(closed) == "the script ended with status 0 before its end"


STRAY = """
import os, sys
del sys.modules["_posixsubprocess"]
from _posixsubprocess import fork_exec
reads, writes = os.pipe()
os.set_inheritable(writes, True)
ends = (-1, -1, -1, -1, -1, -1, reads, writes)
after = (True, True, -1, None, None, None, -1, None, False)
args = [sys.executable.encode(), b"-c", b"import time; time.sleep(600)"]
print(fork_exec(args, args[:1], True, (writes,), None, [], *ends, *after))
"""


def gone(pid: int) -> bool:
    """Whether a process ends; whoever took it over may not have seen it yet."""
    deadline = time.monotonic() + 20
    with suppress(FileNotFoundError):
        while (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        ):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
    return True


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="its arguments are others")
def test_what_got_out_of_a_scripts_session_ends_with_it(roads: "Roads") -> None:
    pid = int(printed(execute(roads, STRAY)))
    with suppress(FileNotFoundError):  # until whoever took it over has seen its end
        while (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        ):
            time.sleep(0.01)


def test_a_stopped_scripts_late_result_reaches_no_other_script(
    roads: "Roads",
) -> None:
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> list[Answer]:
        host = runtime.host("ada")
        first = host.start(coded(WAITS.format("one")))
        await slow.asked.wait()
        first.cancel()
        slow.asked.clear()
        second = host.start(coded(WAITS.format("two")))
        await slow.asked.wait()
        slow.go.set()
        return [await first, await second]

    one, two = roads.run(act)
    assert one.kind == "outcome_unknown"
    assert printed(two) == "for two\n"


def test_a_script_in_the_background_is_asked_after_and_cancelled(
    roads: "Roads",
) -> None:
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> list[Any]:
        host = runtime.host("ada")

        async def ask(action: str, name: str, agent: str = "ada") -> Any:
            given = {"action": action, "script": name}
            call = ToolCall("1", "code_execution", given)
            return (await runtime.host(agent).call(call)).content

        started = await host.call(coded(WAITS.format("one"), background=True))
        await slow.asked.wait()
        running = await ask("status", "script_1")
        theirs = await ask("cancel", "script_1", "fay")
        slow.go.set()
        while (ended := await ask("status", "script_1"))["running"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await host.call(coded("while True: pass", background=True))
        cancelled = await ask("cancel", "script_2")
        again = await ask("cancel", "script_2")
        after = await ask("status", "script_2")
        await roads.world.stop()
        return [started.content, running, theirs, ended, cancelled, again, after]

    started, running, theirs, ended, cancelled, again, after = roads.run(act)
    assert started == {"script": "script_1", "running": True}
    assert running == {"script": "script_1", "running": True, "output": ""}
    assert theirs["error"]["message"].startswith(
        "code_execution: no script of yours is named script_1."
    )
    assert ended == {
        "script": "script_1",
        "running": False,
        "output": "for one\n",
        "error": None,
    }
    assert cancelled == {"script": "script_2", "cancelled": True}
    assert again == {"script": "script_2", "cancelled": False}
    assert after == {
        "script": "script_2",
        "running": False,
        "output": "",
        "cancelled": True,
    }


def test_no_more_scripts_run_at_once_than_may(roads: "Roads") -> None:
    roads.world.code_execution = runner = ScriptRunner(at_once=1)
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> Answer:
        host = runtime.host("ada")
        await host.call(coded(WAITS.format("one"), background=True))
        await slow.asked.wait()
        answer = await host.call(coded("print(1)"))
        await runner.close()
        return answer

    assert refused(roads.run(act)) == (
        "code_execution: 1 scripts are running, which is the most. Nothing was run."
    )


def test_a_cancelled_scripts_process_is_gone(roads: "Roads") -> None:
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> int:
        code = "import os\ncall_tool('slow--wait', who=str(os.getpid()))"
        first = runtime.host("ada").start(coded(code))
        await slow.asked.wait()
        first.cancel()
        await first
        return 0

    roads.run(act)
    mine = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in mine]
    assert not any(b"_script_child" in name for name in names)


def test_a_scripts_process_is_given_no_environment(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEDGER_KEY", "what nobody else may know")
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> bytes:
        code = "import os\ncall_tool('slow--wait', who=str(os.getpid()))"
        running = runtime.host("ada").start(coded(code))
        await slow.asked.wait()
        given = environment(slow.who)
        slow.go.set()
        await running
        return given

    assert roads.run(act) == b""


def test_a_cancelled_scripts_open_calls_are_answered(roads: "Roads") -> None:
    slow = Slow()
    roads.world.modules.add(slow)
    causes: list[tuple[str, str | None]] = []

    def seen(event: Event) -> None:
        if event.what == "answered":
            causes.append((event.call.call.name, event.cause))

    async def act(runtime: "HostRuntime") -> None:
        host = runtime.host("ada")
        await host.call(coded(WAITS.format("one"), background=True))
        await slow.asked.wait()
        given = {"action": "cancel", "script": "script_1"}
        await host.call(ToolCall("1", "code_execution", given))

    roads.run(act, seen)
    assert causes == [
        ("code_execution", "handler"),
        ("slow--wait", "script stopped"),
        ("code_execution", "handler"),
    ]


def test_a_script_whose_time_is_over_in_a_call_leaves_the_call_answered(
    roads: "Roads",
) -> None:
    roads.world.modules.add(Slow())
    causes: list[tuple[str, str | None]] = []

    def seen(event: Event) -> None:
        if event.what == "answered":
            causes.append((event.call.call.name, event.cause))

    async def act(runtime: "HostRuntime") -> Answer:
        return await runtime.host("ada").call(coded(WAITS.format("one"), seconds=2))

    assert error(roads.run(act, seen)) == "the script took longer than 2 seconds"
    assert causes == [("slow--wait", "script stopped"), ("code_execution", "handler")]


LATER = """
call_tool("slow--wait", who="me")
call_tool("journal", content="after the turn")
try:
    call_tool("skip_reply")
except ToolFailed as failed:
    print(failed)
"""


def test_a_script_goes_on_after_its_turn_and_ends_no_other(roads: "Roads") -> None:
    slow = Slow()
    roads.world.modules.add(slow)

    async def act(runtime: "HostRuntime") -> Any:
        async with runtime.turn("ada") as turn:
            await turn.run([coded(LATER, background=True)])
            await slow.asked.wait()
        async with runtime.turn("ada") as turn:
            slow.go.set()
            status = {"action": "status", "script": "script_1"}
            ask = ToolCall("1", "code_execution", status)
            while (answer := await runtime.host("ada").call(ask)).content["running"]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert turn.live
            return answer.content["output"]

    assert roads.run(act) == (
        "skip_reply ends the turn it's called in, and this call wasn't made in a turn, "
        "so nothing was done.\n"
    )
    assert roads.world.notes.read("ada", "journal") == ["after the turn"]


def test_a_scripts_end_is_seen_by_who_waits_for_it(
    roads: "Roads", caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(30):
        assert printed(execute(roads, "print(1)")) == "1\n"
    assert [each for each in caplog.records if each.name == "asyncio"] == []
