import asyncio
from collections.abc import Callable
from typing import TypeAlias, final

Act: TypeAlias = Callable[[], object]


def soon(act: Act) -> None:
    """Have this done on the event loop's next round; now, where no loop runs."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        act()
    else:
        loop.call_soon(act)


@final
class Soon:
    """`soon`, of one act, and once, however often it's asked for meanwhile.

    It's done on another loop where it's asked for there: the first one may have been
    closed before it came to it.
    """

    __slots__ = ("_loop",)

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def __call__(self, act: Act) -> None:
        """Have it done soon."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            act()
            return
        if self._loop is not loop:
            self._loop = loop
            loop.call_soon(self._do, act)

    def _do(self, act: Act) -> None:
        self._loop = None
        act()
