"""The single steps of pairing: who is next, and what is one too many."""

from collections import deque
from collections.abc import Collection
from typing import TypeAlias, final

from toolroute.transcript._model import Batch, Call, Fate, Result, Turn

Stack: TypeAlias = list[tuple[Batch, deque[Call]]]
"""The calls with one id, batch by batch."""


@final
class ByName:
    """The calls of a batch in order per name, for results without an id.

    A call whose id some result has isn't one that they could answer.
    """

    def __init__(self, batch: Batch, answered: Collection[str | None]) -> None:
        self._batch = batch
        self._own: dict[str, deque[Call]] | None = None
        self._only: dict[str, Call | None] | None = None
        self._calls: dict[str | None, deque[Call]] = {None: deque()}
        self._bare: dict[str | None, deque[Call]] = {None: deque()}
        for call in batch.calls:
            if call.id and call.id in answered:
                continue
            self._calls[None].append(call)
            self._calls.setdefault(call.name, deque()).append(call)
            if not call.id:
                self._bare[None].append(call)
                self._bare.setdefault(call.name, deque()).append(call)

    def any_call(self, name: str | None) -> Call | None:
        return first_open(self._calls.get(name or None))

    def own_answer(self, name: str | None) -> Call | None:
        """The first call with this name that settling answered."""
        if self._own is None:
            self._own = {}
            for call in self._batch.calls:
                if call.result is not None and call.result.own:
                    self._own.setdefault(call.name, deque()).append(call)
        own = self._own.get(name or "")
        return own.popleft() if own else None

    def only_call(self, name: str | None) -> Call | None:
        """The one call without an id that has this name, if it is one."""
        if self._only is None:
            self._only = {}
            for call in self._batch.calls:
                if not call.id:
                    self._only[call.name] = None if call.name in self._only else call
        return self._only.get(name or "")

    def without_id(self, name: str | None) -> Call | None:
        return first_open(self._bare.get(name or None))


def first_open(calls: deque[Call] | None) -> Call | None:
    while calls and calls[0].result is not None:
        calls.popleft()
    return calls[0] if calls else None


def nearest_open(stack: Stack) -> Call | None:
    """The first open call of the last batch that has one."""
    while stack:
        call = first_open(stack[-1][1])
        if call is not None:
            return call
        stack.pop()
    return None


def nearest_own(stack: Stack) -> Call | None:
    """The first call that settling answered, of the last batch that has one."""
    while stack:
        calls = stack[-1][1]
        while calls and not (calls[0].result is not None and calls[0].result.own):
            calls.popleft()
        if calls:
            return calls[0]
        stack.pop()
    return None


def in_front(stack: Stack, wanted: int) -> list[Call]:
    """Up to `wanted` open calls with one id in the batches directly in front."""
    found: list[list[Call]] = []
    for place in range(len(stack) - 2, -1, -1):
        batch, calls = stack[place]
        if wanted <= 0 or batch.chain != stack[-1][0].chain:
            break
        still = [call for call in calls if call.result is None][-wanted:]
        found.append(still)
        wanted -= len(still)
    return [call for still in reversed(found) for call in still]


def stacked(stacks: dict[str, Stack], key: str, batch: Batch, call: Call) -> None:
    """Put a call on the stack of its key."""
    stack = stacks.setdefault(key, [])
    if not stack or stack[-1][0] is not batch:
        stack.append((batch, deque()))
    stack[-1][1].append(call)


def inside(turn: Turn, *, named: bool) -> None:
    """Pair results with the calls of the very message that they stand in."""
    calls: dict[tuple[str, str], deque[Call]] = {}
    for call in turn.calls:
        key = ("id", call.id) if call.id else ("name", call.name)
        calls.setdefault(key, deque()).append(call)
    for result in turn.results:
        if result.fate != "stray" or not (result.id or named):
            continue
        key = ("id", result.id) if result.id else ("name", result.name or "")
        asked = first_open(calls.get(key))
        if asked is not None:
            give(asked, result, "moved")


def assign(calls: list[Call], results: list[Result], *, new: int) -> None:
    """First to first; what is too many doubles the last call's: it keeps the last."""
    last = len(calls) - 1
    for place, (call, result) in enumerate(zip(calls[:last], results, strict=False)):
        give(call, result, "moved" if place < new else "kept")
    rivals = results[last:]
    if not rivals:
        return
    chosen = next((r for r in reversed(rivals) if not r.own), rivals[-1])
    for rival in rivals:
        if rival is not chosen:
            rival.call, rival.fate = calls[last], "dropped"
        rival.doubles = rival is not rivals[0]
    give(calls[last], chosen, "kept")


def by_count(
    batch: Batch,
    results: list[Result],
    asked: Collection[str],
    answered: Collection[str | None],
) -> None:
    """Pair what has no id with the calls that have none, or else are left over.

    A call with an id is left over only when no result anywhere has it.
    """
    opens = [call for call in batch.calls if call.result is None]
    bare = [call for call in opens if not call.id]
    if bare:
        opens = bare
        rest = [r for r in results if not r.id or r.id not in asked]
    else:
        opens = [call for call in opens if call.id not in answered]
        rest = [r for r in results if not r.id]
        if len(rest) != len(opens):
            return
    for call, result in zip(opens, rest, strict=False):
        if fits(call, result):
            give(call, result, "kept")


def fits(call: Call, result: Result) -> bool:
    return result.id == call.id or same_name(call, result)


def same_name(call: Call, result: Result) -> bool:
    return not result.name or result.name == call.name


def give(call: Call, result: Result, fate: Fate) -> None:
    call.result = result
    result.call, result.fate = call, fate
