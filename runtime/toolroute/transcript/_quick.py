"""The quick look: one pass that sees nothing wrong, or leaves it to the reading.

It never says what is wrong, and may doubt what is fine; what it lets pass, the whole
reading finds nothing in. `peek` says what one message holds; here it's seen that every
batch is answered right behind it. `Used` keeps the ids that may not come again, so that
a conversation can be looked at a turn at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from toolroute.transcript._rules import IdRule, Rules
from toolroute.transcript._wire import DOUBT, Wire


@final
@dataclass(slots=True)
class Used:
    """The ids of calls and items, with the place from which each can be read again."""

    calls: dict[str, int] = field(default_factory=dict[str, int])
    items: dict[str, int] = field(default_factory=dict[str, int])
    place: int = 0

    def forget(self, calls: int, items: int) -> None:
        """Keep only the first so many."""
        while len(self.calls) > calls:
            self.calls.popitem()
        while len(self.items) > items:
            self.items.popitem()


def nothing_wrong(
    wire: Wire, messages: Sequence[Any], rules: Rules, used: Used, before: Any = None
) -> bool:
    """Whether these messages are fine behind `before`, where nothing is open.

    `used` is told of their ids, or left as it was.
    """
    calls, items = len(used.calls), len(used.items)
    fine = rules.names is None and _fine(wire, messages, rules, used, before)
    if not fine:
        used.forget(calls, items)
    return fine


def _fine(
    wire: Wire, messages: Sequence[Any], rules: Rules, used: Used, before: Any
) -> bool:
    if wire.layout == "inside":
        return all(wire.peek(message) is None for message in messages)
    if wire.spans:
        return _items(wire, messages, rules.ids, used)
    if wire.layout == "blocks":
        fine = _blocks(wire, messages, rules.ids, used)
        return fine and (not wire.neighbours or wire.good_neighbours(messages, before))
    if wire.neighbours and not wire.good_neighbours(messages, before):
        return False
    bridged = wire.bridged and "user_after_tool" not in rules.loose
    behind = bridged and before is not None and type(wire.peek(before)) is str
    return _messages(wire, messages, rules.ids, used, bridged=bridged, behind=behind)


def _one_fits(
    call_id: str,
    fullmatch: Callable[[str], object],
    once: dict[str, int] | None,
    place: int,
) -> bool:
    if fullmatch(call_id) is None:
        return False
    if once is not None:
        if call_id in once:
            return False
        once[call_id] = place
    return True


def _ids_fit(ids: Sequence[str], rule: IdRule, used: Used) -> bool:
    if rule.unique != "none" and len(set(ids)) != len(ids):
        return False
    once = used.calls if rule.unique == "request" else None
    fullmatch = rule.pattern.fullmatch
    return all(_one_fits(call_id, fullmatch, once, used.place) for call_id in ids)


def _blocks(wire: Wire, messages: Sequence[Any], rule: IdRule, used: Used) -> bool:
    peek, fullmatch = wire.peek, rule.pattern.fullmatch
    place, once = used.place, used.calls if rule.unique == "request" else None
    wanted: Sequence[str] | None = None
    for message in messages:
        seen = peek(message)
        if seen is None:
            if wanted is not None:
                return False
        elif type(seen) is tuple:
            if wanted is None or not _answered(wanted, seen):
                return False
            wanted = None
        elif wanted is not None or seen is DOUBT:
            return False
        elif len(seen) == 1:
            if not _one_fits(seen[0], fullmatch, once, place):
                return False
            wanted = seen
        else:
            if not _ids_fit(seen, rule, used):
                return False
            wanted = seen
    return wanted is None


def _answered(wanted: Sequence[str], seen: tuple[str, ...]) -> bool:
    if len(seen) == 1 == len(wanted):
        return seen[0] == wanted[0]
    return len(seen) == len(wanted) and sorted(seen) == sorted(wanted)


def _messages(  # noqa: C901, PLR0911, PLR0912, PLR0913  (one loop, for speed)
    wire: Wire,
    messages: Sequence[Any],
    rule: IdRule,
    used: Used,
    *,
    bridged: bool,
    behind: bool,
) -> bool:
    peek, fullmatch = wire.peek, rule.pattern.fullmatch
    place, once = used.place, used.calls if rule.unique == "request" else None
    wanted: str | None = None
    left: set[str] = set()
    for message in messages:
        seen = peek(message)
        if seen is None:
            if wanted is not None or left:
                return False
            if behind:
                if bridged and message["role"] != "assistant":
                    return False
                behind = False
        elif type(seen) is str:
            if seen == wanted:
                wanted = None
            elif seen in left:
                left.remove(seen)
            else:
                return False
            behind = True
        elif wanted is not None or left or seen is DOUBT:
            return False
        elif len(seen) == 1:
            wanted = seen[0]
            if not _one_fits(wanted, fullmatch, once, place):
                return False
            behind = False
        else:
            if not _ids_fit(seen, rule, used):
                return False
            left = set(seen)
            behind = False
    return wanted is None and not left


def _items(  # noqa: C901, PLR0911, PLR0912  (one loop, for speed)
    wire: Wire, messages: Sequence[Any], rule: IdRule, used: Used
) -> bool:
    """Items: calls of a batch gather until their outputs begin.

    An item is one call at most. `peek` answers an empty tuple for reasoning, which
    wants an item of the model's behind it, and an empty list for an item of the model's
    that isn't a call.
    """
    peek, items, place = wire.peek, used.items, used.place
    fullmatch = rule.pattern.fullmatch
    left: set[str] = set()
    outputs = thought = False
    for message in messages:
        seen = peek(message)
        if seen is DOUBT:
            return False
        if "id" in message and (item_id := message["id"]) is not None:
            if type(item_id) is not str or item_id in items:
                return False
            items[item_id] = place
        if type(seen) is str:
            if thought or seen not in left:
                return False
            left.remove(seen)
            outputs = bool(left)
        elif type(seen) is list and seen:
            call_id = seen[0]
            if outputs or not _one_fits(call_id, fullmatch, used.calls, place):
                return False
            left.add(call_id)
            thought = False
        elif seen is None:
            if left or thought:
                return False
        elif type(seen) is tuple:
            if outputs:
                return False
            thought = True
        else:
            if left:
                return False
            thought = False
    return not left and not thought
