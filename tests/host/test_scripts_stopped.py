"""A script that is cancelled, or out of time, leaves nothing behind."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer, Event
from toolroute_host.scripts import ScriptRunner

from .scripting import WAITS, Slow, coded, environment, error, execute, printed, refused

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

pytestmark = pytest.mark.usefixtures("temporary")


def test_no_more_scripts_run_at_once_than_may(roads: "Roads") -> None:
    roads.world.code_execution = runner = ScriptRunner(
        at_once=1, store=roads.world.store
    )
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
        return await runtime.host("ada").call(coded(WAITS.format("one"), seconds=4))

    assert error(roads.run(act, seen)) == "the script took longer than 4 seconds"
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
