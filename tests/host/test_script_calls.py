"""Calls that scripts make at once, late, or in strange ways."""

import asyncio
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer

from .scripting import PROCESSES, WAITS, Slow, coded, error, execute, printed

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

pytestmark = pytest.mark.usefixtures("temporary")


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
    said = error(execute(roads, code)).strip().splitlines()[-1]
    assert said.removesuffix(": nan") == words  # which Python 3.13 names


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
    assert gone(int(printed(execute(roads, STRAY))))


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
