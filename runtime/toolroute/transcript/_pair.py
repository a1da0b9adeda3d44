"""Which result answers which call: by place and order, and by id only within that.

Ids are empty, repeated and reused, so no map of ids decides. The laws:

- A batch's results are looked for right behind it, by id, in order for calls that share
  one; where ids are missing, in order (per name, where the format has names).
- What is left over answers the nearest open call in front that has its id, or its name
  where ids are missing and the format has names; then a call of its own message.
- A second result of a call is a double as long as no later model turn stands between;
  behind one, its own call was lost, and it's an orphan.
- A real result takes the place of an answer that settling wrote, wherever it stands.
- A result in front of its call is that call's only when nothing else could be meant:
  one call and one result with this id, no id used twice, and not a cut head.
"""

from collections.abc import Iterable
from typing import final

from toolroute.transcript._match import (
    ByName,
    Stack,
    assign,
    by_count,
    fits,
    give,
    in_front,
    inside,
    nearest_open,
    nearest_own,
    same_name,
    stacked,
)
from toolroute.transcript._model import Batch, Call, Fate, Result, Turn


@final
class Pairing:
    """The batches of a transcript, with every call and result paired."""

    def __init__(
        self, turns: list[Turn], *, spans: bool, named: bool, held: bool
    ) -> None:
        self.turns = turns
        self.batches: list[Batch] = []
        self._spans = spans
        self._named = named
        self._held = held
        self._held_ids: set[str] = set()
        self._direct: Batch | None = None
        self._latest: Batch | None = None
        self._thought = False
        self._open: dict[str, Stack] = {}
        self._names: dict[str, Stack] = {}
        self._bare: dict[str, Stack] = {}
        self._answerable: dict[str, Stack] = {}
        self._last: dict[str, tuple[Batch, Call]] = {}
        self._idless: ByName | None = None
        self._counts: dict[str, int] = {}
        self._answered = {result.id for turn in turns for result in turn.results}
        for turn in turns:
            for call in turn.calls:
                if call.id:
                    self._counts[call.id] = self._counts.get(call.id, 0) + 1
        self._walk()
        for turn in turns:
            if turn.calls and turn.results:
                inside(turn, named=named)
        self._look_ahead()

    def unambiguous(self, call: Call) -> bool:
        """Whether no other call has this one's id."""
        return bool(call.id) and self._counts[call.id or ""] == 1

    def run(self, open_calls: Iterable[str]) -> None:
        """Note which calls are still running: the last open one with each id."""
        for call_id in open_calls:
            for _, calls in reversed(self._open.get(call_id, [])):
                still = [call for call in calls if call.result is None]
                if still:
                    still[-1].running = True
                    break

    def leave(self) -> None:
        """Let results stay where they are, as long as that's behind their calls."""
        for turn in self.turns:
            for result in turn.results:
                call = result.call
                if call is None or result.fate != "moved" or result.doubles:
                    continue
                if result.message > call.message:
                    result.fate = "held"

    def _walk(self) -> None:
        waiting: list[Result] = []
        for place, turn in enumerate(self.turns):
            if turn.role in ("result", "copy"):
                waiting += turn.results
                continue
            if waiting:
                self._take(waiting)
                waiting = []
            if turn.role == "model":
                self._model(place, turn)
            elif turn.role == "thought":
                self._thought = True
            elif turn.role == "server":
                self._thought = False
                if self._direct is not None:
                    self._direct.last = place
            else:
                if turn.results:
                    self._take(turn.results)
                self._direct = None
        if waiting:
            self._take(waiting)

    def _model(self, place: int, turn: Turn) -> None:
        first = turn.calls[0].block if turn.calls else None
        in_front = [r for r in turn.results if first is None or (r.block or 0) < first]
        if in_front:
            self._direct = None
            self._take(in_front)
        if not turn.calls:
            self._direct = self._latest = None
            return
        batch = self._direct
        if batch is not None and self._spans:
            batch.calls += turn.calls
            batch.last = place
        else:
            chain = len(self.batches) if batch is None else batch.chain
            batch = Batch(list(turn.calls), place, chain)
            self.batches.append(batch)
            self._direct = self._latest = batch
        self._idless = None
        self._thought = False
        self._note(batch, turn.calls)

    def _note(self, batch: Batch, calls: list[Call]) -> None:
        for call in calls:
            if call.id:
                stacked(self._open, call.id, batch, call)
                self._last[call.id] = (batch, call)
            if self._named and (not call.id or call.id not in self._answered):
                stacked(self._names, call.name, batch, call)
                stacked(self._answerable, call.name, batch, call)
                if not call.id:
                    stacked(self._bare, call.name, batch, call)

    def _take(self, results: list[Result]) -> None:
        direct = None if self._spans and self._thought else self._direct
        self._direct = None
        rest = results
        if direct is not None:
            direct.zone = list(results)
            self._by_id(direct, results)
            rest = [result for result in results if result.call is None]
            if rest and not self._named:
                by_count(direct, rest, self._counts, self._answered)
            elif rest:
                self._by_names(direct, rest)
            rest = [result for result in rest if result.call is None]
        for result in rest:
            self._late(result)

    def _by_id(self, batch: Batch, results: list[Result]) -> None:
        found: dict[str, list[Result]] = {}
        for result in results:
            if result.id:
                found.setdefault(result.id, []).append(result)
        for call_id, rivals in found.items():
            stack = self._open.get(call_id)
            if stack and stack[-1][0] is batch:
                calls = list(stack[-1][1])
                earlier = in_front(stack, len(rivals) - len(calls))
                assign(earlier + calls, rivals, new=len(earlier))

    def _by_names(self, batch: Batch, results: list[Result]) -> None:
        found: dict[str, list[Result]] = {}
        for result in results:
            if not result.id and result.name:
                found.setdefault(result.name, []).append(result)
        for name, rivals in found.items():
            stack = self._names.get(name)
            if stack and stack[-1][0] is batch:
                here = sum(call.result is None for call in stack[-1][1])
                earlier = in_front(stack, len(rivals) - here)
                for call, result in zip(earlier, rivals, strict=False):
                    give(call, result, "moved")
        for result in results:
            if result.call is None:
                self._by_name(batch, result, "kept")

    def _by_name(self, batch: Batch, result: Result, fate: Fate) -> None:
        if self._idless is None:
            self._idless = ByName(batch, self._answered)
        if not result.id:
            call = self._idless.any_call(result.name)
        elif fate == "kept" and not nearest_open(self._open.get(result.id, [])):
            call = self._idless.without_id(result.name)
        else:
            call = None
        if call is not None:
            give(call, result, fate)

    def _late(self, result: Result) -> None:
        if result.whole:
            return
        if not result.id:
            if self._latest is not None:
                self._late_without_id(self._latest, result)
            if result.fate == "stray":
                self._by_name_alone(self._names, result)
            return
        stack = self._open.get(result.id)
        if stack is None:
            self._by_name_alone(self._bare, result)
            self._hold(result)
            return
        call = nearest_open(stack)
        if call is not None:
            give(call, result, "moved")
            return
        batch, call = self._last[result.id]
        self._one_too_many(call, result, same_turn=batch is self._latest)

    def _by_name_alone(self, stacks: dict[str, Stack], result: Result) -> None:
        """The nearest open call with this name, or one that settling answered."""
        call = nearest_open(stacks.get(result.name or "", []))
        if call is not None:
            give(call, result, "moved")
            return
        call = nearest_own(self._answerable.get(result.name or "", []))
        if call is not None and not result.own:
            self._one_too_many(call, result, same_turn=False)

    def _late_without_id(self, batch: Batch, result: Result) -> None:
        if self._named:
            self._by_name(batch, result, "moved")
            if result.call is None and self._idless is not None:
                own = None if result.own else self._idless.own_answer(result.name)
                call = own or self._idless.only_call(result.name)
                if call is not None:
                    self._one_too_many(call, result, same_turn=True)
            return
        if self._idless is None:
            self._idless = ByName(batch, self._answered)
        call = self._idless.without_id(None)
        if call is not None and fits(call, result):
            give(call, result, "moved")

    def _hold(self, result: Result) -> None:
        if self._held and result.call is None and result.id not in self._counts:
            result.doubles = result.id in self._held_ids
            result.fate = "dropped" if result.doubles else "held"
            self._held_ids.add(result.id or "")

    def _one_too_many(self, call: Call, result: Result, *, same_turn: bool) -> None:
        first = call.result
        if first is None or not (same_turn or first.own or result.own):
            return
        result.doubles = True
        if result.own or first.whole:
            result.call, result.fate = call, "dropped"
        else:
            first.fate = "dropped"
            give(call, result, "moved")

    def _look_ahead(self) -> None:
        """Pair what stands in front of its call, and call the rest orphans."""
        strays = [r for t in self.turns for r in t.results if r.fate == "stray"]
        trusted = all(count == 1 for count in self._counts.values())
        begins = next((t.message for t in self.turns if t.role in {"user", "model"}), 0)
        seen: dict[str, int] = {}
        for result in strays:
            seen[result.id or ""] = seen.get(result.id or "", 0) + 1
        for result in strays:
            result.fate = "orphan"
            stack = self._open.get(result.id or "")
            if not stack or not trusted or seen[result.id or ""] > 1:
                continue
            call = self._last[result.id or ""][1]
            later = result.message > begins and call.message > result.message
            if later and call.result is None and same_name(call, result):
                give(call, result, "moved")
