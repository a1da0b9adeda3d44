"""`heartbeat_status` and `heartbeat_set`: a wake that comes again and again.

A beat is a deadline of the event gate's store, so it's kept over a restart; several
that were missed while the host was down are one.
"""

from typing import Final, final

from toolroute import ToolCall, ToolResult
from toolroute_host._arguments import A_YEAR, is_positive, wrong
from toolroute_host._kept import moment
from toolroute_host.gate import BEAT, EventGate

__all__ = ["Pulse"]

SHORTEST: Final = 1.0


@final
class Pulse:
    """Each owner's beat, set on the gate that tells when it's due."""

    def __init__(self, gate: EventGate) -> None:
        self._gate = gate

    def tool(self, call: ToolCall, owner: str) -> ToolResult:
        """Answer `heartbeat_set` and `heartbeat_status`."""
        if call.name == "heartbeat_set":
            self._set(call, owner)
        return ToolResult(self.status(owner))

    def status(self, owner: str) -> dict[str, float | str | None]:
        """How often it beats and when next, or nothing twice."""
        at, note = self._gate.deadline_and_note(owner, BEAT)
        return {
            "every_seconds": None if note is None else float(note),
            "next": None if at is None else moment(at),
        }

    def _set(self, call: ToolCall, owner: str) -> None:
        every: object = call.input.get("every_seconds")
        if every is None:
            self._gate.clear_deadline(owner, BEAT)
            return
        if not is_positive(every) or not SHORTEST <= every <= A_YEAR:
            wanted = f"must be a number from {SHORTEST:g} to {A_YEAR}, or null for none"
            raise wrong(call, "every_seconds", wanted)
        self._gate.set_deadline(owner, BEAT, every, repr(float(every)))
