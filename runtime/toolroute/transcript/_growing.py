"""A conversation that grows: settling costs what a turn holds, whatever came before.

What was settled stays settled, and is read again only from the batch that a late result
belongs to. Settled messages are cut into chunks, at places where no call is open; what
follows a cut can be read without what is in front of it.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, final

from toolroute.transcript._api import run, settled
from toolroute.transcript._evidence import Evidence
from toolroute.transcript._quick import Used, nothing_wrong
from toolroute.transcript._registry import in_shape_of, rules_for, wire
from toolroute.transcript._types import Settled, TranscriptError
from toolroute.transcript._work import Context, Orphans


@final
class Growing:
    """One conversation, kept ready to be sent.

        talk = Growing("anthropic")
        talk.add(question)
        request.messages = talk.settle().messages

    Give it every message as it comes, and call `settle` when a request goes out. The
    list that `settle` returns is this object's own, grown in place: don't change it.
    """

    def __init__(  # noqa: PLR0913
        self,
        format: str,  # noqa: A002
        messages: Iterable[Any] = (),
        *,
        evidence: Evidence | None = None,
        previous_response_id: str | None = None,
        target: str | None = None,
        orphans: Orphans = "text",
    ) -> None:
        self._wire = wire(in_shape_of(target, format))
        self._context = Context(
            rules_for(self._wire, target),
            evidence=evidence,
            held=previous_response_id is not None,
            orphans=orphans,
        )
        self._settled: list[Any] = []
        self._waiting: list[Any] = list(messages)
        self._used = Used()
        self._unfinished = False
        self._chunk = 0
        self._last_calls = 0

    def add(self, *messages: Any) -> None:
        """Add messages behind the others; `settle` looks at them."""
        self._waiting += messages

    def settle(self, *, open_calls: Collection[str] = ()) -> Settled:
        """The whole conversation, ready to be sent, and what was changed in this turn.

        Places in `changes` and `remaining` count in the settled conversation.
        While a call is still running, nothing is settled for good.

        Raises `NotATranscript` when something that was added isn't a message of the
        format: its place counts in what was added since the last time, and none of that
        is kept.
        """
        try:
            return self._look(frozenset(open_calls))
        except TranscriptError:
            self._waiting = []
            raise

    def _look(self, open_calls: frozenset[str]) -> Settled:
        waiting = self._waiting
        self._used.place = len(self._settled)
        before = self._settled[-1] if self._settled else None
        rules, used = self._context.rules, self._used
        if not self._unfinished and nothing_wrong(
            self._wire, waiting, rules, used, before
        ):
            self._keep(waiting)
            return Settled(self._settled)
        return self._mend(open_calls)

    def _mend(self, open_calls: frozenset[str]) -> Settled:
        start = self._start()
        window = [*self._settled[start:], *self._waiting]
        context = replace(
            self._context, open_calls=open_calls, first=start, used=self._used.calls
        )
        outcome = settled(self._wire, window, context)
        if open_calls and self._still_open(window, context):
            messages = [*self._settled[:start], *outcome.messages]
            return _placed(replace(outcome, messages=messages), start)
        del self._settled[start:]
        self._keep(outcome.messages)
        self._unfinished = self._wire.unfinished(outcome.messages)
        if self._unfinished:
            self._last_calls = start
        return _placed(replace(outcome, messages=self._settled), start)

    def _start(self) -> int:
        """The chunk to read again from: the last, or one that something belongs to.

        That is a late result's call, which without an id is one of the last that were
        made, and an item whose id comes again.
        """
        places = [self._chunk]
        if self._unfinished:
            places.append(self._last_calls)
        for turn in self._wire.read(self._waiting):
            for result in turn.results:
                if not result.id:
                    places.append(self._last_calls)
                elif result.id in self._used.calls:
                    places.append(self._used.calls[result.id])
            item: Any = turn.raw.get("id") if self._wire.spans else None
            if item is not None and item in self._used.items:
                places.append(self._used.items[item])
        return min(places)

    def _still_open(self, window: list[Any], context: Context) -> bool:
        work = run(self._wire, window, context)
        return any(call.running for batch in work.batches for call in batch.calls)

    def _keep(self, messages: Iterable[Any]) -> None:
        """Take settled messages, and cut them into chunks."""
        place = len(self._settled)
        self._settled += messages
        self._waiting = []
        still_open = 0
        for message in self._settled[place:]:
            if still_open <= 0:
                self._chunk = place
                still_open = 0
            still_open += self._opens(message)
            if self._wire.spans and message.get("id") is not None:
                self._used.items[message["id"]] = self._chunk
            place += 1

    def _opens(self, message: Any) -> int:
        """How many calls more are open behind this message."""
        seen = self._wire.peek(message)
        match seen:
            case None:
                return 0
            case str():
                return -1
            case list():
                self._note(seen)
                return len(seen)
            case tuple() if not self._wire.spans:
                return -len(seen)
            case _:
                turn = self._wire.read([message])[0]
                self._note([call.id for call in turn.calls if call.id])
                if self._wire.layout == "inside":
                    return 0
                opened = len(turn.calls) - len(turn.results)
                return opened + self._wire.waits(message)

    def _note(self, call_ids: list[str]) -> None:
        self._last_calls = self._chunk
        for call_id in call_ids:
            self._used.calls[call_id] = self._chunk


def _placed(outcome: Settled, start: int) -> Settled:
    """The same with places that count from the conversation's beginning."""
    if not start:
        return outcome
    changes = tuple(
        change
        if change.message is None
        else replace(change, message=change.message + start)
        for change in outcome.changes
    )
    remaining = tuple(
        replace(violation, message=violation.message + start)
        for violation in outcome.remaining
    )
    return replace(outcome, changes=changes, remaining=remaining)
