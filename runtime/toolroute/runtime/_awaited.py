import asyncio
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from toolroute.runtime._answer import Answer
from toolroute.runtime._tracked import Tracked

if TYPE_CHECKING:
    from toolroute.runtime._core import Core

Then: TypeAlias = Callable[[Tracked], Exception | None]
"""Done once when the answer is there, before anybody gets it; what it gives is raised
to those who wait, instead."""


@final
class Awaited:
    """An awaited call under way: await it, as often as you like, for its answer.

    Cancelling who awaits it leaves the call to its own end; `cancel` answers the call.
    """

    __slots__ = ("_call", "_core", "_over", "_then", "_trouble", "_waiting")

    def __init__(self, core: "Core", then: Then | None = None) -> None:
        self._core: Final = core
        self._then = then
        self._call: Tracked | None = None
        self._over = False
        self._trouble: Exception | None = None
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def answer(self) -> Answer | None:
        """The answer, once it is there."""
        return self._call.answer if self._over and self._call is not None else None

    def cancel(self) -> None:
        """Answer it without waiting for its handler."""
        if self._call is not None:
            self._core.runner.stop(self._call, "cancelled")

    def begun(self, call: Tracked) -> None:
        """This is the call that it stands for."""
        self._call = call

    def answered(self, call: Tracked) -> None:
        """The answer is there."""
        self._call = call
        self._over = True
        try:
            if self._then is not None:
                self._trouble = self._then(call)
        finally:
            for waiter in self._waiting:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiting.clear()

    def __await__(self) -> Generator[Any, None, Answer]:
        if not self._over:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            yield from waiter
        if self._trouble is not None:
            raise self._trouble
        if self._call is None or self._call.answer is None:
            raise AssertionError("a call is over without its answer")
        return self._call.answer


def follow(core: "Core", call: Tracked) -> Awaited:
    """An awaited call that is under way already."""
    awaited = Awaited(core)
    call.receiver = awaited
    awaited.begun(call)
    return awaited
