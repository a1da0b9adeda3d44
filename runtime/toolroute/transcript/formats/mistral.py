"""Mistral: the shape of Chat Completions, with its own ids and order of roles.

Before mistral-common 1.13 only the assistant can speak right behind a tool message, so
a word of its goes between; before version 5 of the format an assistant message has
words or calls, not both. `mistral:v13` knows neither that nor the form of ids. In every
version it has one of the two, and the last message is the user's or a tool's, or marked
as a `prefix`: the beginning of what the assistant is about to say.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, final

from toolroute.transcript._json import LIST
from toolroute.transcript._model import Call, Out
from toolroute.transcript._types import Kind
from toolroute.transcript._wire import Answer
from toolroute.transcript._work import Work
from toolroute.transcript.formats._chat import ChatWire

BRIDGE: Final = "Understood."
"""What the assistant says between a tool's result and the user's next words."""
_BRIDGED: Final = ("user", "aside")
LAST_ROLE: Final = (
    "Expected last role User or Tool (or Assistant with prefix True) for serving but "
    "got assistant"
)
PREFIX_BEHIND: Final = "Assistant message with prefix True must be last message"
BOTH: Final = "Assistant message must have either content or tool_calls, but not both."
NEITHER: Final = "Assistant message must have either content or tool_calls."
ALONE: Final = "Conversation must start with a user message or system message"
EARLIER: Final = "[the conversation before this is not part of this history]"


@final
class _Mistral(ChatWire):
    name = "mistral"
    bridged = True
    either = True
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
        "invalid_result_content": "Input should be a valid string: a tool's content",
        "call_turn_without_user_before": (
            "Not the same number of function calls and responses"
        ),
    }

    def answer(self, call: Call, answer: Answer) -> Any:
        name = call.new_name or call.name
        return {**super().answer(call, answer), "name": name}

    def good_neighbours(self, messages: Sequence[Any], before: Any) -> bool:
        if not messages:
            return True
        if before is None:
            if type(self.peek(messages[0])) is LIST:
                return False
        elif "prefix" in before:
            return False
        last = messages[-1]
        return self.peek(last) is not None or last["role"] != "assistant"

    def finish(self, work: Work) -> None:
        loose = work.context.rules.loose
        outs = [one for out in work.outs for one in _words_or_calls(work, out)]
        if outs and outs[0].calls and not work.context.first:
            outs.insert(0, _in_front(work, outs[0].calls[0]))
        elif len(outs) == 1 and outs[0].role == "model" and not work.context.first:
            outs.insert(0, _alone(work, outs[0]))
        work.outs = outs if "user_after_tool" in loose else list(_bridged(work, outs))
        for out in work.outs[:-1]:
            if out.role == "model" and out.message.get("prefix"):
                remedy = "no prefix any more"
                _mark(work, out, PREFIX_BEHIND, remedy)
        last = work.outs[-1] if work.outs else None
        if last is None or last.role != "model" or last.message.get("tool_calls"):
            return
        if not last.message.get("prefix"):
            remedy = "marked as a prefix, which the assistant goes on with"
            _mark(work, last, LAST_ROLE, remedy)


FORMAT = _Mistral()


def _in_front(work: Work, first: Call) -> Out:
    """The calls of a first message aren't counted, and their results are."""
    if first.message == 0:
        work.report(
            "call_turn_without_user_before",
            0,
            call=first,
            call_id=first.id,
            name=first.name,
            remedy="a user's message is put in front",
        )
    text = "A user's message stands in front of the first call now."
    work.note("inserted", first.message, text)
    return Out({"role": "user", "content": EARLIER}, "user")


def _alone(work: Work, out: Out) -> Out:
    """An assistant's message can't be all there is."""
    _say(work, out, ALONE, "a user's message is put in front")
    text = "A user's message stands in front of the assistant's now."
    work.note("inserted", out.source, text)
    return Out({"role": "user", "content": EARLIER}, "user")


def _words_or_calls(work: Work, out: Out) -> list[Out]:
    """An assistant's message as it is, in two where it holds both, or left out."""
    content, calls = out.message.get("content"), out.message.get("tool_calls")
    if out.role != "model" or (content and not calls):
        return [out]
    if not calls:
        _say(work, out, NEITHER, "left out: it says nothing and calls nothing")
        text = "A message without words or calls is left out."
        work.note("removed", out.source, text, removed=out.message)
        return []
    if not content or "content_with_calls" in work.context.rules.loose:
        return [out]
    _say(work, out, BOTH, "its words go into a message of their own, in front of it")
    text = "The assistant's words stand in a message of their own, before its calls."
    work.note("rewritten", out.source, text)
    words = {key: out.message[key] for key in out.message if key != "tool_calls"}
    asks = {**out.message, "content": ""}
    return [Out(words, "model", out.source), Out(asks, "model", out.source, out.calls)]


def _say(work: Work, out: Out, words: str, remedy: str) -> None:
    work.report("role_order", out.source or 0, words=words, remedy=remedy)


def _mark(work: Work, out: Out, words: str, remedy: str) -> None:
    """Mark as a prefix what isn't one, and the reverse."""
    if out.source is not None:
        _say(work, out, words, remedy)
    work.note("rewritten", out.source, f"The assistant's message is {remedy}.")
    marked = {} if out.message.get("prefix") else {"prefix": True}
    out.message = {k: v for k, v in out.message.items() if k != "prefix"} | marked


def _bridged(work: Work, outs: list[Out]) -> Iterator[Out]:
    before: Out | None = None
    for out in outs:
        if before is not None and before.role == "result" and out.role in _BRIDGED:
            _bridge(work, out)
            yield Out({"role": "assistant", "content": BRIDGE}, "model")
        yield out
        before = out


def _bridge(work: Work, out: Out) -> None:
    place = out.source
    if place is not None:
        turn, before = work.turns[place], work.turns[place - 1] if place else None
        behind = before is not None and before.role == "result"
        stays = behind and before is not None and before.results[0].fate == "kept"
        if turn.role in _BRIDGED and stays:
            words = f"Unexpected role '{out.message['role']}' after role 'tool'"
            _say(work, out, words, "an assistant message with a word goes between")
    work.note(
        "inserted",
        place,
        "An assistant message stands between a tool's result and what follows it now.",
    )
