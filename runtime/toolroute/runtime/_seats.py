"""Who holds an agent: its turn, or an operator; and what arrives meanwhile.

Laws:

- An agent has one turn at a time, and none while an operator holds it.
- While calls of an agent have no stored results, or an operator holds it, messages for
  it are kept, and land behind those results, in the order they came.
- A seat that nothing holds is forgotten: memory is that of the agents in use.
"""

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Final, final

from toolroute._calls import ProtocolError
from toolroute._text import one_line
from toolroute.runtime._window import Exchange, Window

if TYPE_CHECKING:
    from toolroute.runtime._turn import Turn

_log: Final = logging.getLogger("toolroute")


@final
class _Seat:
    __slots__ = ("delivering", "exchanges", "held", "reserved", "turn", "waiting")

    def __init__(self) -> None:
        self.turn: Turn | None = None
        self.reserved = self.delivering = False
        self.exchanges = 0
        self.held: deque[Any] = deque()
        self.waiting: list[asyncio.Future[None]] = []

    @property
    def is_full(self) -> bool:
        """Whether messages have to wait: what they land behind isn't stored yet."""
        return self.reserved or self.exchanges > 0 or self.delivering


@final
class Seats:
    """The seats of all agents in use."""

    def __init__(self, window: Window | None) -> None:
        self._window = window
        self._seats: dict[str, _Seat] = {}

    @property
    def window(self) -> Window:
        """The host's, where it gave one."""
        if self._window is None:
            raise ProtocolError(
                "This runtime has no window, so it can't store an operator's call or "
                "a message. Give `Runtime` one as `window`."
            )
        return self._window

    def need_window(self) -> None:
        """Raise where the host gave none."""
        _ = self.window

    def doing(self, agent: str) -> str | None:
        """What this runtime knows `agent` to be doing, if anything."""
        seat = self._seats.get(agent)
        if seat is None:
            return None
        if seat.reserved:
            return "held by an operator"
        return None if seat.turn is None else "in a turn"

    async def sit(self, agent: str, turn: "Turn") -> None:
        """Begin a turn, once no operator holds the agent."""
        while (seat := self._seat(agent)).reserved:
            free = asyncio.get_running_loop().create_future()
            seat.waiting.append(free)
            await free
        if seat.turn is not None:
            raise ProtocolError(
                f"{one_line(agent)} is in a turn already: end that one first."
            )
        seat.turn = turn

    def leave(self, agent: str) -> None:
        """The agent's turn is over."""
        self._seat(agent).turn = None
        self._settle(agent)

    def reserve(self, agent: str) -> None:
        """An operator takes the agent, which nothing holds."""
        self._seat(agent).reserved = True

    def release(self, agent: str) -> None:
        """The operator lets go of it."""
        seat = self._seat(agent)
        seat.reserved = False
        waiting, seat.waiting = seat.waiting, []
        self._settle(agent)
        for free in waiting:
            if not free.done():
                free.set_result(None)

    def expect(self, agent: str) -> None:
        """Calls were made whose results aren't stored yet."""
        if self._window is not None:
            self._seat(agent).exchanges += 1

    def store(self, agent: str, exchange: Exchange) -> None:
        """Store what was expected; what arrived meanwhile follows."""
        if self._window is None:
            return
        try:
            self._window.store(agent, exchange)
        finally:
            self._seat(agent).exchanges -= 1
            self._settle(agent)

    def deliver(self, agent: str, message: Any) -> None:
        """Store a message now, or behind the results that are being made."""
        window = self.window
        seat = self._seats.get(agent)
        if seat is None or not (seat.is_full or seat.held):
            window.deliver(agent, message)
        else:
            seat.held.append(message)
            self._settle(agent)

    def _seat(self, agent: str) -> _Seat:
        seat = self._seats.get(agent)
        if seat is None:
            seat = self._seats[agent] = _Seat()
        return seat

    def _settle(self, agent: str) -> None:
        """Deliver what was held, as far as it may land; forget a seat nothing holds."""
        seat = self._seat(agent)
        while seat.held and not seat.is_full:
            seat.delivering = True
            try:
                self.window.deliver(agent, seat.held[0])
                seat.held.popleft()
            except Exception:  # noqa: BLE001 -- kept, and logged
                _log.exception("A message for %r couldn't be stored and is kept", agent)
                return
            finally:
                seat.delivering = False
        if not (seat.is_full or seat.turn or seat.waiting):
            del self._seats[agent]
