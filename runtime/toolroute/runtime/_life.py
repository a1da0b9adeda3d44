"""The life of a call: a table, and nothing else moves it.

Laws:

- A call is open, then answered; or open, then started, then answered. No way leads
  back, and no way leads out of answered: a later answer is late and changes nothing.
- So a call is answered exactly once, whoever tries, in whatever order.
- A call that is closed was not executed if it hadn't started, and has an unknown
  outcome if it had. "Not executed" of a call that started is said only by who holds it
  elsewhere: it was disclaimed.
- What happened and the answer's kind agree: no cause can wear another's words.
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

Row: TypeAlias = tuple[State, frozenset[AnswerKind]]
"""The next state, and the answers that this way into it can have."""


def _answered(*kinds: AnswerKind) -> Row:
    return "answered", frozenset(kinds)


TABLE: Final[Mapping[State, Mapping[Happening, Row]]] = {
    "open": {
        "started": ("started", frozenset()),
        "refused": _answered("refused", "bad_arguments"),
        "closed": _answered("not_executed"),
    },
    "started": {
        "returned": _answered("returned"),
        "raised": _answered("failed"),
        "disclaimed": _answered("not_executed"),
        "closed": _answered("outcome_unknown"),
    },
    "answered": {},
}
"""From a state, by what happened, to the next; what has no row moves nothing."""


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
        row = TABLE[self._state].get("started")
        if row is None:
            return False
        self._state = row[0]
        return True

    def end(self, ending: Ending, answer: Answer) -> bool:
        """It is answered; False, and no change, where it was before or can't be so."""
        row = TABLE[self._state].get(ending)
        if row is None:
            return False
        if answer.kind not in row[1]:
            raise AssertionError(f"{ending} doesn't give the answer {answer.kind}")
        self._state = row[0]
        self._answer = answer
        return True

    def closing(self, name: str) -> Answer:
        """The answer that closing gives it now, of what was seen."""
        return NotExecuted(name) if self._state == "open" else OutcomeUnknown(name)
