"""An event loop whose time is made up: no test waits, and none waits for ever."""

import asyncio
import selectors
import threading
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar, cast

T = TypeVar("T")


class _Jumps(selectors.BaseSelector):
    """Instead of waiting, time passes."""

    def __init__(self) -> None:
        self.real = selectors.DefaultSelector()
        self.now = 0.0
        self.before = {*threading.enumerate()}

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            return self._wait()
        if timeout <= 0:
            return self.real.select(0)
        ready = self.real.select(0)
        if not ready:
            self.now += timeout
        return ready

    def _wait(self) -> list[Any]:
        """Wait for a thread; where there's none, nothing can ever happen again."""
        while not (ready := self.real.select(0.2)):
            started = {*threading.enumerate()} - self.before
            assert started, "everything waits for ever"
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> Any:
        return self.real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> Any:
        return self.real.unregister(fileobj)

    def get_map(self) -> Any:
        return self.real.get_map()

    def close(self) -> None:
        self.real.close()


class Clockless(asyncio.SelectorEventLoop):
    """Time is a number, which jumps when nothing else is to be done."""

    def __init__(self) -> None:
        self.jumps = _Jumps()
        super().__init__(self.jumps)

    def time(self) -> float:
        return self.jumps.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run it in made-up time; no task, and no trouble, may be left behind."""
    troubles: list[Mapping[str, Any]] = []

    async def watched() -> T:
        asyncio.get_running_loop().set_exception_handler(
            lambda _loop, trouble: troubles.append(trouble)
        )
        result = await main
        for _ in range(5):
            await asyncio.sleep(0)
        left = asyncio.all_tasks() - {cast("Any", asyncio.current_task())}
        assert left == set()
        return result

    with asyncio.Runner(loop_factory=Clockless) as runner:
        result = runner.run(watched())
    assert troubles == []
    return result
