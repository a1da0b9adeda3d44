"""Handlers of signals wait while a process forks with a ledger open.

What one raises there (Ctrl-C does) would cut the preparations short, and the process
would fork in the middle of a record. The interpreter also loses whatever is raised in
a fork's hook. So what came is only noted, and is raised again soon after.
"""

import os
import signal
import threading
from types import FrameType
from typing import Any, Final, final

_SOON: Final = 0.01
"""Seconds, in which a fork's hooks are over."""


@final
class Handlers:
    """Those of this process; a second thread has none to hold."""

    __slots__ = ("_came", "_held", "_holding")

    def __init__(self) -> None:
        self._holding = False
        self._held: Final[dict[int, Any]] = {}
        self._came: Final[list[tuple[int, int]]] = []

    def hold(self) -> None:
        """Note what comes from now on, and for which process."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._holding = True
        for number in signal.valid_signals():
            handler = signal.getsignal(number)
            if callable(handler) and handler != self._note:
                self._held[number] = handler
                signal.signal(number, self._note)

    def let_go(self) -> None:
        """Put them back, and raise what came, in the process that it came to.

        One that raises here leaves the others for the next time: they work till then.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        self._holding = False
        for number, handler in list(self._held.items()):
            signal.signal(number, handler)
            del self._held[number]
        while self._came:
            process, number = self._came.pop(0)
            if process == os.getpid():
                again = (threading.get_ident(), number)  # it may be waiting
                threading.Timer(_SOON, signal.pthread_kill, again).start()

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._holding:
            self._came.append((os.getpid(), number))
        else:
            self._held[number](number, frame)
