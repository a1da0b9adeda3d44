"""How a script in the background ended is known after a restart, or that nobody saw."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer
from toolroute_host._script_ends import ScriptEnds
from toolroute_host._script_process import Ended
from toolroute_host.agents import Agent
from toolroute_host.running import runtime_of
from toolroute_host.scripts import ScriptRunner
from toolroute_host.store import Store
from toolroute_host.world import World


def of(store: Store, ask: dict[str, Any]) -> Answer:
    """What a host that is started with this store says."""
    world = World(store, agents=[Agent("ada")])
    world.code_execution = ScriptRunner(store=store)

    async def within() -> Answer:
        async with runtime_of(world) as runtime:
            return await runtime.host("ada").call(ToolCall("1", "code_execution", ask))

    return asyncio.run(within())


def test_how_a_script_ended_is_kept_over_a_restart(
    reopened: Callable[[], Store],
) -> None:
    def ended(ends: ScriptEnds, number: int) -> None:
        name = ends.begin("ada")
        assert name == f"script_{number}"
        ends.keep(name, "ended", Ended(f"out {number}", None))

    ends = ScriptEnds(reopened())
    ended(ends, 1)
    stopped, bad = ends.begin("ada"), ends.begin("ada")
    ends.keep(stopped, "cancelled", Ended("some", "stopped"))
    ends.keep(bad, "ended", Ended("", "NameError"))
    store = reopened()
    assert of(store, {"action": "status", "script": "script_1"}).content == {
        "script": "script_1",
        "running": False,
        "output": "out 1",
        "error": None,
    }
    assert of(store, {"action": "status", "script": stopped}).content == {
        "script": stopped,
        "running": False,
        "output": "some",
        "cancelled": True,
    }
    assert of(store, {"action": "status", "script": bad}).is_error
    assert of(store, {"action": "cancel", "script": bad}).content["cancelled"] is False
    ends = ScriptEnds(store)
    for number in range(4, 54):
        ended(ends, number)
    assert ends.find("script_3", "ada") is None
    assert ends.find("script_4", "ada") is not None
    assert ends.find("script_4", "fay") is None


@pytest.mark.parametrize("name", ["script_", "1", "script_²", "script_" + "9" * 30])
def test_other_names_are_no_scripts(store: Store, name: str) -> None:
    assert ScriptEnds(store).find(name, "ada") is None


def test_a_script_of_a_host_that_lives_is_that_hosts(tmp_path: Path) -> None:
    other, store = Store(tmp_path / "host.db"), Store(tmp_path / "host.db")
    name = ScriptEnds(other).begin("ada")
    assert of(store, {"action": "status", "script": name}).content == {
        "script": name,
        "running": True,
        "output": "",
    }
    refused = of(store, {"action": "cancel", "script": name}).content["error"]
    assert refused["message"] == (
        "code_execution: script_1 runs in another process of this host, which alone "
        "can cancel it. It goes on."
    )
    other.close()
    for _ in range(2):
        lost = of(store, {"action": "status", "script": name})
        assert lost.content["outcome"] == "unknown"
    store.close()


def test_a_script_that_died_with_its_host_is_told_as_that(tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "toolroute", "serve", "--host", str(tmp_path)]
    code = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)"
    begin = {"code": code, "background": True, "seconds": 60}
    ask = {"action": "status", "script": "script_1"}
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        for given in (begin, *[ask] * 600):
            call = {"name": "code_execution", "agent": "agent", "input": given}
            host.stdin.write(json.dumps(call).encode() + b"\n")
            host.stdin.flush()
            said = json.loads(host.stdout.readline())["content"]
            assert said["running"] is True
            store = Store(tmp_path / "host.db")
            ((kept,),) = store.read("SELECT output FROM scripts")
            store.close()
            if kept:
                break
            time.sleep(0.05)
        host.send_signal(signal.SIGKILL)
        host.wait()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{kept.strip()}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    done = subprocess.run(
        [
            *serve[:3],
            "call",
            "code_execution",
            *("--host", str(tmp_path), "--agent", "agent", "--input", json.dumps(ask)),
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "script": "script_1",
        "running": False,
        "output": kept,
        "outcome": "unknown",
        "error": "nobody saw how the script ended: its host was gone first. It may "
        "have run to its end, and what it did may have taken effect: check before "
        "running it again",
    }
