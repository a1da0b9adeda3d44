"""What Gemini wants of contents: calls stand right behind a user's content."""

from typing import Final

from toolroute.transcript._model import Out
from toolroute.transcript._work import Work

_EARLIER: Final = "[the conversation before this call is not part of this history]"


def settle_turns(work: Work) -> None:
    """Each role is one that there is, and a user's content is in front of calls."""
    outs: list[Out] = []
    for out in work.outs:
        _name_role(work, out)
        if out.calls and (not outs or outs[-1].role == "model"):
            _call_turn(work, outs, out)
        else:
            outs.append(out)
    work.outs = outs


def _name_role(work: Work, out: Out) -> None:
    if out.message.get("role") in {"function", "tool"}:
        work.report("role_order", out.source or 0, remedy="its role is user")
        work.note("rewritten", out.source, "The role of a content is user now.")
        out.message = {**out.message, "role": "user"}


def _call_turn(work: Work, outs: list[Out], out: Out) -> None:
    """A content with calls that no user content stands in front of."""
    place = out.source or 0
    words = _words_in_front(outs)
    before = outs[-len(words) - 1] if len(words) < len(outs) else None
    running = before is not None and before.role == "model"
    if running or (before is None and not words and work.context.first):
        outs.append(out)
        return
    del outs[len(outs) - len(words) :]
    if place == 0 or work.turns[place - 1].role == "model":
        _report(work, out, alone=before is None)
    if before is None:
        outs.append(Out({"role": "user", "parts": [{"text": _EARLIER}]}, "user"))
        text = "A user's content stands in front of this call now."
        work.note("inserted", place, text)
    if words:
        parts = [part for one in words for part in one.message["parts"]]
        out.message = {**out.message, "parts": [*parts, *out.message["parts"]]}
        work.note("merged", place, "Contents of the model are one content now.")
    outs.append(out)


def _words_in_front(outs: list[Out]) -> list[Out]:
    """The model's contents without calls that come last."""
    start = len(outs)
    while start and outs[start - 1].role == "model" and not outs[start - 1].calls:
        start -= 1
    return outs[start:]


def _report(work: Work, out: Out, *, alone: bool) -> None:
    first = out.calls[0]
    remedy = "a user's content is put in front"
    work.report(
        "call_turn_without_user_before",
        out.source or 0,
        call=first,
        call_id=first.id,
        name=first.name,
        block=first.block,
        remedy=remedy if alone else "joined to the model's content in front",
    )
