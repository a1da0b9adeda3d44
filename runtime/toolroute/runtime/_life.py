"""The life of a call: a table, and nothing else moves it.

Laws:

- A call is open, then answered; or open, then started, then answered. No way leads
  back, and no way leads out of answered: a later answer is late and changes nothing.
- So a call is answered exactly once, whoever tries, in whatever order.
- A call that is closed was not executed if it hadn't started, and has an unknown
  outcome if it had. "Not executed" of a call that started is said only by who holds it
  elsewhere: it was disclaimed.
- What happened and the answer's kind agree, by `KINDS`: no cause can wear another's
  words.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from toolroute.runtime._answer import (
    Answer,
    AnswerKind,
    NotExecuted,
    OutcomeUnknown,
)
from toolroute.runtime._ledger import State

Ending: TypeAlias = Literal["refused", "returned", "raised", "disclaimed", "closed"]
"""What can happen to a call that answers it."""

Happening: TypeAlias = Literal["started"] | Ending
"""What can happen to a call."""

TABLE: Final[Mapping[tuple[State, Happening], State]] = {
    ("open", "refused"): "answered",
    ("open", "started"): "started",
    ("open", "closed"): "answered",
    ("started", "returned"): "answered",
    ("started", "raised"): "answered",
    ("started", "disclaimed"): "answered",
    ("started", "closed"): "answered",
}
"""From a state, by what happened, to the next; a pair that isn't here moves nothing."""

KINDS: Final[Mapping[tuple[State, Happening], frozenset[AnswerKind]]] = {
    ("open", "refused"): frozenset({"refused", "bad_arguments"}),
    ("open", "closed"): frozenset({"not_executed"}),
    ("started", "returned"): frozenset({"returned"}),
    ("started", "raised"): frozenset({"failed"}),
    ("started", "disclaimed"): frozenset({"not_executed"}),
    ("started", "closed"): frozenset({"outcome_unknown"}),
}
"""The answers that each way into `answered` can have."""


class Life:
    """Where one call is, and its answer. `start` and `end` alone change them."""

    __slots__ = ("_answer", "_state")

    def __init__(self) -> None:
        self._state: State = "open"
        self._answer: Answer | None = None

    @property
    def state(self) -> State:
        """Open, started or answered."""
        return self._state

    @property
    def answer(self) -> Answer | None:
        """The one answer, once there is one."""
        return self._answer

    def start(self) -> bool:
        """It starts; False, and no change, where it can't."""
        state = TABLE.get((self._state, "started"))
        if state is None:
            return False
        self._state = state
        return True

    def end(self, ending: Ending, answer: Answer) -> bool:
        """It is answered; False, and no change, where it was before or can't be so."""
        way = (self._state, ending)
        state = TABLE.get(way)
        if state is None:
            return False
        if answer.kind not in KINDS[way]:
            raise AssertionError(f"{way} doesn't give the answer {answer.kind}")
        self._state = state
        self._answer = answer
        return True

    def closing(self, name: str) -> Answer:
        """The answer that closing gives it now, of what was seen."""
        return NotExecuted(name) if self._state == "open" else OutcomeUnknown(name)
