"""What a ledger knows of a call that a transcript holds no result of."""

import json
from typing import TYPE_CHECKING, Any, final

from toolroute._calls import ToolResult
from toolroute.runtime._ledger import Entry, Ledger, Wanted

if TYPE_CHECKING:
    from toolroute.transcript import Known, OpenCall


@final
class LedgerEvidence:
    """A ledger, as `toolroute.transcript.settle` asks it, of all or one agent or turn.

    A call is found by its id and name, and by its input where it has no id or several
    have it. Where that finds several, or one whose outcome is unknown, or one still
    running, it says nothing.
    """

    __slots__ = ("_agent", "_ledger", "_turn")

    def __init__(
        self, ledger: Ledger, *, agent: str | None = None, turn: str | None = None
    ) -> None:
        self._ledger = ledger
        self._agent = agent
        self._turn = turn

    def known(self, call: "OpenCall", /) -> "Known":
        """The recorded answer, or that the call was seen never to start, or nothing."""
        wanted = Wanted(self._agent, self._turn, call.id or None, call.name)
        found = self._ledger.find(wanted)
        if not call.id or not call.unambiguous or len(found) > 1:
            given = _given(call.input)
            found = [one for one in found if one.opened.call.input == given]
        if len(found) != 1:
            return None
        return _known(found[0])


def _given(arguments: Any) -> Any:
    """The input that a ledger has: what the wire has as text is read."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments


def _known(entry: Entry) -> "Known":
    answer = entry.answer
    if answer is None or answer.kind == "outcome_unknown":
        return None
    if answer.kind == "not_executed":
        return "not started"
    return ToolResult(answer.content, answer.is_error)
