"""One transcript under settling: read, paired, judged, and laid out again.

`check` and `settle` both do all of it: what `check` lists is what `settle` mends.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

from toolroute._answers import not_executed, outcome_unknown
from toolroute._calls import ToolResult
from toolroute._text import one_line
from toolroute.transcript._evidence import Evidence, OpenCall
from toolroute.transcript._model import Batch, Call, Out, Result, Turn
from toolroute.transcript._pair import Pairing
from toolroute.transcript._rules import Rules
from toolroute.transcript._types import Change, Did, Kind, Violation
from toolroute.transcript._wire import Answer, Wire, is_own

Orphans: TypeAlias = Literal["text", "drop"]


@final
@dataclass(frozen=True, slots=True)
class Context:
    """What the caller knows besides the messages, and what it wants."""

    rules: Rules
    evidence: Evidence | None = None
    open_calls: Collection[str] = ()
    held: bool = False
    """Earlier items are held by the server."""
    orphans: Orphans = "text"
    first: int = 0
    """The place of the first message in the whole conversation."""
    used: Mapping[str, int] = field(default_factory=dict[str, int])
    """Ids of calls in the whole conversation, with a place that they stand behind."""

    def is_used(self, call_id: str) -> bool:
        """Whether a call in front of the first message has this id."""
        return self.used.get(call_id, self.first) < self.first


@final
class Work:
    """The state of one run; the adapters' `finish` sees it too."""

    def __init__(self, wire: Wire, messages: Sequence[Any], context: Context) -> None:
        self.wire = wire
        self.context = context
        self.messages = messages
        self.violations: list[Violation] = []
        self.changes: list[Change] = []
        self.outs: list[Out] = []
        self.send_later: list[Any] = []
        self.turns: list[Turn] = wire.read(messages)
        self.pairing = Pairing(
            self.turns,
            spans=wire.spans,
            named=wire.named,
            held=context.held or wire.holds(self.turns),
        )
        self.pairing.run(context.open_calls)
        if "position" in context.rules.loose:
            self.pairing.leave()

    @property
    def batches(self) -> list[Batch]:
        """The batches, in order."""
        return self.pairing.batches

    def report(  # noqa: PLR0913
        self,
        kind: Kind,
        message: int,
        *,
        call: Call | None = None,
        call_id: str | None = None,
        name: str | None = None,
        block: int | None = None,
        words: str = "",
        remedy: str,
    ) -> None:
        """Note a violation, with the provider's words for it."""
        if not words:
            words = self.wire.says.get(kind, "")
            words = words.format_map(
                {
                    "id": one_line(call_id or ""),
                    "name": one_line(name or ""),
                    "message": message,
                }
            )
        index = call.index if call is not None else None
        self.violations.append(
            Violation(kind, call_id, message, index, block, name, words, remedy)
        )

    def note(
        self,
        did: Did,
        message: int | None,
        text: str,
        *,
        call_id: str | None = None,
        removed: Any = None,
    ) -> None:
        """Note a change."""
        self.changes.append(Change(did, call_id, message, text, removed))

    def answer(self, call: Call) -> Answer:
        """What to answer for a call without a real result."""
        known = self.known(call)
        if isinstance(known, ToolResult):
            return Answer(known.content, known.is_error)
        if known == "not started" or call.cut or call.partial or call.denied:
            return Answer(not_executed(call.name), is_error=True)
        return Answer(outcome_unknown(call.name), is_error=True)

    def is_real(self, answer: Answer) -> bool:
        """Whether this isn't one that settling would write by itself."""
        return not is_own(answer.content)

    def known(self, call: Call) -> ToolResult | Literal["not started"] | None:
        """What the evidence has on this call."""
        if self.context.evidence is None:
            return None
        return self.context.evidence.known(
            OpenCall(
                call.id,
                call.name,
                call.input,
                self.context.first + call.message,
                call.index,
                self.pairing.unambiguous(call),
            )
        )

    def better(self, result: Result) -> Answer | None:
        """A real answer for one that settling wrote."""
        if not result.own or result.call is None:
            return None
        known = self.known(result.call)
        if isinstance(known, ToolResult) and not is_own(known.content):
            return Answer(known.content, known.is_error)
        return None
