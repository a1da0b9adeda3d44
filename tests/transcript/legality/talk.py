"""A legal conversation as every format could tell it, and the strategy that draws one.

Every text, thought, call and result carries a word of its own (`say3`, `think4`,
`arg5`, `res5`), so that a test can follow it through any JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, TypeAlias, final

from hypothesis import strategies as st

Runs: TypeAlias = Literal["here", "server", "deferred"]


@final
@dataclass(frozen=True, slots=True)
class Call:
    """`deferred`: a server's, whose result comes in the next reply."""

    n: int
    name: str
    runs: Runs = "here"
    fails: bool = False


@final
@dataclass(frozen=True, slots=True)
class Ask:
    texts: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Reply:
    n: int
    thinks: bool
    says: bool
    calls: tuple[Call, ...] = ()

    @property
    def here(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.runs == "here")

    @property
    def defers(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.runs == "deferred")


@final
@dataclass(frozen=True, slots=True)
class Answers:
    """The results of the reply before; `tail` is a text that comes with them."""

    reply: Reply
    tail: int | None
    backwards: bool


Step: TypeAlias = Ask | Reply | Answers


@final
@dataclass(frozen=True, slots=True)
class Talk:
    steps: tuple[Step, ...]
    ids: bool
    """Whether calls have ids, in a format that can do without."""


def words(kind: str, value: Any) -> list[str]:
    """The words of a kind (`say`, `think`, `arg`, `res`), in the order of the JSON."""
    return re.findall(rf"\b{kind}\d+\b", json.dumps(value))


NAMES = st.sampled_from(["read_gauge", "open_valve", "list-beds"])
RUNS = st.sampled_from(["here", "here", "here", "server", "deferred"])


@st.composite
def talks(draw: st.DrawFn) -> Talk:
    steps: list[Step] = []
    numbers = count()
    for _ in range(draw(st.integers(1, 3))):
        texts = draw(st.integers(1, 2))
        steps.append(Ask(tuple(next(numbers) for _ in range(texts))))
        for _ in range(draw(st.integers(0, 2))):
            reply = draw(_replies(numbers))
            tail = draw(st.booleans()) and not reply.defers and draw(st.booleans())
            answers = Answers(
                reply, next(numbers) if tail else None, draw(st.booleans())
            )
            steps += [reply, answers]
        steps.append(Reply(next(numbers), draw(st.booleans()), says=True))
    cut = draw(st.sampled_from([0, 0, 1, 1, 1, 2]))
    if cut == 2 and isinstance(steps[-2], Answers):
        cut = 1
    return Talk(tuple(steps[: len(steps) - cut]) or tuple(steps), draw(st.booleans()))


@st.composite
def _replies(draw: st.DrawFn, numbers: Iterator[int]) -> Reply:
    calls = [
        Call(next(numbers), draw(NAMES), draw(RUNS), draw(st.booleans()))
        for _ in range(draw(st.integers(1, 3)))
    ]
    if all(call.runs != "here" for call in calls):
        calls.append(Call(next(numbers), draw(NAMES), "here", draw(st.booleans())))
    return Reply(next(numbers), draw(st.booleans()), draw(st.booleans()), tuple(calls))
