import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from toolroute import ToolCall
from toolroute.runtime import Answer, Observer, PuppetError
from toolroute_host._demo_host import demo_host
from toolroute_host._folder import Folder
from toolroute_host.running import HostRuntime, runtime_of
from toolroute_host.store import Store
from toolroute_host.world import World

T = TypeVar("T")


class Hands:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at

    def pass_(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


@pytest.fixture
def reopened(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens one file again and again; the store before is closed, as by a restart."""
    opened: list[Store] = []

    def again() -> Store:
        for before in opened:
            before.close()
        opened.append(Store(tmp_path / "host.db"))
        return opened[-1]

    yield again
    for each in opened:
        each.close()


class Roads:
    """One host, and calls on each road of it; each call in a runtime of its own."""

    def __init__(self, world: World) -> None:
        self.world = world

    def turn(self, agent: str, name: str, /, **given: Any) -> Answer:
        (answer,) = self.round(agent, (name, given))
        return answer

    def round(self, agent: str, *calls: tuple[str, dict[str, Any]]) -> list[Answer]:
        async def act(runtime: HostRuntime) -> list[Answer]:
            async with runtime.turn(agent) as turn:
                return list(await turn.run([call(*each) for each in calls]))

        return self.run(act)

    def script(self, agent: str, name: str, /, **given: Any) -> Answer:
        async def act(runtime: HostRuntime) -> Answer:
            async with runtime.turn(agent) as turn, turn.script() as script:
                return await script.call(call(name, given))

        return self.run(act)

    def host(self, agent: str | None, name: str, /, **given: Any) -> Answer:
        async def act(runtime: HostRuntime) -> Answer:
            return await runtime.host(agent).call(call(name, given))

        return self.run(act)

    def puppet(self, agent: str, name: str, /, **given: Any) -> Answer:
        """The answer, a refusal's too; `stored` tells the two apart."""

        async def act(runtime: HostRuntime) -> Answer:
            try:
                return await runtime.puppet(agent).call(call(name, given))
            except PuppetError as refused:
                return refused.answer

        return self.run(act)

    def module(self, agent: str | None, name: str, /, **given: Any) -> Answer:
        async def act(runtime: HostRuntime) -> Answer:
            module = runtime.module("tests")
            return await module.call(call(name, given), agent=agent)

        return self.run(act)

    def on(self, road: str, agent: str, name: str, /, **given: Any) -> Answer:
        answer: Answer = getattr(self, road)(agent, name, **given)
        return answer

    def run(
        self,
        act: Callable[[HostRuntime], Coroutine[Any, Any, T]],
        *observers: Observer,
    ) -> T:
        async def within() -> T:
            async with runtime_of(self.world, observers=observers) as runtime:
                return await act(runtime)

        return asyncio.run(within())

    def stored(self, agent: str) -> list[Any]:
        return self.world.windows.messages(agent)


def call(name: str, given: dict[str, Any]) -> ToolCall:
    return ToolCall(f"id-of-{name}", name, given)


@pytest.fixture
def roads(tmp_path: Path, clock: Hands) -> Iterator[Roads]:
    folder = tmp_path / "host"
    folder.mkdir()
    world = demo_host(folder, clock)
    yield Roads(world)
    world.close()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where scripts' folders are made: empty before and after each test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


@pytest.fixture
def folder(root: Path) -> Folder:
    return Folder(root)
