"""A save waits for what its round may show, and for nothing else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest

from toolroute import ToolCall, ToolResult
from toolroute.runtime import Answer, Context, Event
from toolroute_host import handlers
from toolroute_host._images import Image

if TYPE_CHECKING:
    from toolroute_host.running import HostRuntime

    from .conftest import Roads

PNG = b"\x89PNG\r\n\x1a\n" + b"the snap"
SAVE = ("save_recent_image", {"path": "pictures/snap.png"})


class Camera:
    """A module whose `snap` takes what a test says, and then shows an image."""

    def __init__(self, before: Callable[[], Awaitable[object]]) -> None:
        self.before = before

    @property
    def name(self) -> str:
        return "camera"

    def tools(self) -> tuple[str, ...]:
        return ("snap",)

    async def call(self, tool: str, call: ToolCall, context: Context) -> ToolResult:
        del tool, call, context
        await self.before()
        return ToolResult([Image("image/png", PNG).block()])


def saved(roads: "Roads", name: str = "snap.png") -> bytes:
    assert roads.world.workspace is not None
    return roads.world.workspace.read(f"pictures/{name}", 1_000)


@pytest.mark.parametrize("order", [0, 1], ids=["snap first", "save first"])
def test_a_save_in_the_same_message_as_the_snap_saves_the_snap(
    roads: "Roads", order: int
) -> None:
    async def a_while() -> None:
        for _ in range(50):
            await asyncio.sleep(0)

    roads.world.modules.add(Camera(a_while))
    calls: list[tuple[str, dict[str, Any]]] = [("camera--snap", {}), SAVE]
    answers = roads.round("ada", *(calls if order == 0 else calls[::-1]))
    assert [answer.is_error for answer in answers] == [False, False]
    assert saved(roads) == PNG


def test_two_saves_of_one_message_do_not_wait_for_each_other(roads: "Roads") -> None:
    other = ("save_recent_image", {"path": "pictures/other.gif"})
    answers = roads.round("ada", SAVE, other)
    assert [answer.is_error for answer in answers] == [False, False]
    assert saved(roads) == saved(roads, "other.gif")


def test_a_save_gives_up_on_what_never_answers_and_names_it(
    roads: "Roads", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "PATIENCE", 0.01)

    over = asyncio.Event()

    def seen(event: Event) -> None:
        if event.what == "answered" and event.call.call.name == SAVE[0]:
            over.set()

    async def act(runtime: "HostRuntime") -> tuple[Answer | None, ...]:
        async with runtime.turn("ada") as turn:
            calls = [ToolCall("1", "camera--snap"), ToolCall("2", *SAVE)]
            one = turn.round(calls)
            running = asyncio.create_task(one.run())
            await over.wait()
            one.cancel(0)
            return await running

    roads.world.modules.add(Camera(asyncio.Event().wait))
    snap, save = roads.run(act, seen)
    assert snap is not None
    assert snap.kind == "outcome_unknown"
    assert save is not None
    assert save.content["error"] == {
        "code": "TOOL_FAILED",
        "message": "save_recent_image waited 0.01 seconds for camera--snap of the same "
        "message, which had no answer yet. Nothing was saved.",
        "retry": "after-delay",
    }


def test_a_modules_save_inside_its_own_pending_call_is_not_held(
    roads: "Roads",
) -> None:
    async def act(runtime: "HostRuntime") -> tuple[Answer, ...]:
        module = runtime.module("camera")
        inner: list[Answer] = []

        async def saving() -> None:
            inner.append(await module.call(ToolCall("in", *SAVE), agent="ada"))

        roads.world.modules.add(Camera(saving))
        async with runtime.turn("ada") as turn:
            answers = await turn.run([ToolCall("out", "camera--snap")])
        return (*answers, *inner)

    answers = roads.run(act)
    assert [answer.is_error for answer in answers] == [False, False]
