"""Mistral: the shape of Chat Completions, with its own ids and order of roles.

Before mistral-common 1.13 a user message can't stand right behind a tool message; an
assistant message goes between. `mistral:v13` knows neither that nor the form of ids.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST
from toolroute.transcript._model import Call, Out
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import Answer
from toolroute.transcript._work import Work
from toolroute.transcript.formats._chat import ChatWire

BRIDGE: Final = "Understood."
"""What the assistant says between a tool's result and the user's next words."""
EARLIER: Final = "[the conversation before this call is not part of this history]"


@final
class _Mistral(ChatWire):
    name = "mistral"
    bridged = True
    neighbours = True
    says: ClassVar[Mapping[Kind, str]] = {
        "unanswered_call": "Not the same number of function calls and responses",
        "misplaced_result": "Not the same number of function calls and responses",
        "orphan_result": "Unexpected tool call id {id} in tool results",
        "duplicate_result": "Duplicate tool call id {id} in tool results",
        "duplicate_call_id": "Duplicate tool call id {id} in assistant message",
        "missing_call_id": "Tool call id has to be defined.",
        "empty_call_id": (
            "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."
        ),
        "invalid_call_id": (
            "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."
        ),
        "invalid_name": (
            "Function name was {name} but must be a-z, A-Z, 0-9, or contain "
            "underscores and dashes, with a maximum length of 64."
        ),
        "call_turn_without_user_before": (
            "Not the same number of function calls and responses"
        ),
        "role_order": "Unexpected role 'user' after role 'tool'",
    }

    def answer(self, call: Call, answer: Answer) -> Any:
        name = call.new_name or call.name
        return {**super().answer(call, answer), "name": name}

    def good_neighbours(self, messages: Sequence[Any], before: Any) -> bool:
        first = messages[0] if messages and before is None else None
        return first is None or type(self.peek(first)) is not LIST

    def finish(self, work: Work) -> None:
        if work.outs and work.outs[0].calls and not work.context.first:
            _in_front(work)
        if "user_after_tool" in work.context.rules.loose:
            return
        outs: list[Out] = []
        for out in work.outs:
            if out.role == "user" and outs and outs[-1].role == "result":
                _bridge(work, out)
                outs.append(Out({"role": "assistant", "content": BRIDGE}, "model"))
            outs.append(out)
        work.outs = outs


FORMAT = _Mistral()


def _in_front(work: Work) -> None:
    """The calls of a first message aren't counted, and their results are."""
    first = work.outs[0].calls[0]
    remedy = "a user's message is put in front"
    if first.message == 0:
        work.report(
            "call_turn_without_user_before",
            0,
            call=first,
            call_id=first.id,
            name=first.name,
            remedy=remedy,
        )
    text = "A user's message stands in front of the first call now."
    work.note("inserted", first.message, text)
    work.outs.insert(0, Out({"role": "user", "content": EARLIER}, "user"))


def _bridge(work: Work, out: Out) -> None:
    place = out.source
    if place is not None:
        turn, before = work.turns[place], work.turns[place - 1] if place else None
        behind = before is not None and before.role == "result"
        stays = behind and before is not None and before.results[0].fate == "kept"
        if turn.role == "user" and stays:
            remedy = "an assistant message with a word goes between"
            work.report("role_order", place, remedy=remedy)
    work.note(
        "inserted",
        place,
        "An assistant message stands between a tool's result and the user's words now.",
    )
