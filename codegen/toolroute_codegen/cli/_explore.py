"""The way of a call through the table, and where it parts by what a host answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, cast, final

from toolroute import Refusal, ToolCall
from toolroute._text import one_line
from toolroute_codegen.cli._asking import Asking
from toolroute_codegen.cli._assume import GOES_ON, Asked, Outcome, outcomes
from toolroute_codegen.interpreter import Step, walk
from toolroute_codegen.texts import Placeholder, pieces

Question: TypeAlias = tuple[Asked, str, str]
"""What is asked, its name, and the tool's: whoever asks it again is told the same."""


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """What follows where the host answers so; nothing where that can't be told."""

    outcome: Outcome
    way: "tuple[Item, ...]"


@final
@dataclass(frozen=True, slots=True)
class Fork:
    """A question for the host: `branches`, and else the way goes on with `step`."""

    step: Step
    branches: tuple[Branch, ...]
    goes_on: Outcome


Item: TypeAlias = Step | Fork


def explore(
    asking: Asking, answers: Mapping[Question, Outcome] | None = None
) -> tuple[Item, ...]:
    """The whole way of the call, with a fork at each question that nothing answers."""
    settled = dict(answers or {})
    world = _World(asking, settled.copy())
    way = walk(asking.table, asking.call, asking.caller, world, asking.in_turn)
    steps = [
        replace(step, name=world.raised) if step.what == "failed" else step
        for step in way
    ]
    return tuple(_items(asking, settled, steps))


def _items(
    asking: Asking, settled: dict[Question, Outcome], steps: list[Step]
) -> Iterator[Item]:
    for at, step in enumerate(steps):
        question = _question(step)
        if question is None or question in settled or step.name in asking.assumed:
            yield step
            continue
        asked, name, _ = question
        *others, goes_on = outcomes(asked, name, asking.table.written)
        branches = [
            Branch(other, _branch(asking, {**settled, question: other}, other, at))
            for other in others
        ]
        yield Fork(step, tuple(branches), goes_on)
        settled[question] = goes_on


def _branch(
    asking: Asking, answers: Mapping[Question, Outcome], outcome: Outcome, at: int
) -> tuple[Item, ...]:
    if outcome.word == "call":
        return ()  # which call isn't known: --assume says
    return explore(asking, answers)[at:]


def _question(step: Step) -> Question | None:
    if step.what in GOES_ON:
        return (cast("Asked", step.what), step.name, step.call.name)
    return None


@final
class _World:
    """A host that answers as it's told, and where it isn't, so that the search goes on.

    `raised` is what was assumed to raise, and did.
    """

    def __init__(self, asking: Asking, answers: Mapping[Question, Outcome]) -> None:
        self._asking = asking
        self._answers = answers
        self.raised = ""

    def has(self, capability: str) -> bool:
        return capability in self._asking.present

    def lookup(self, lookup: str, name: str) -> object:
        return self._answer("lookup", lookup, ToolCall("", name))

    def guard(self, guard: str, call: ToolCall, caller: str) -> object:  # noqa: ARG002 - one caller
        return self._answer("guard", guard, call)

    def unwrap(self, unwrap: str, call: ToolCall) -> object:
        return self._answer("unwrap", unwrap, call)

    def listed(self, kind: str) -> tuple[str, ...]:  # noqa: ARG002 - no host, no list
        return ()

    def _answer(self, asked: Asked, name: str, call: ToolCall) -> object:
        assumed = self._asking.assumed.get(name)
        outcome = assumed or self._answers.get((asked, name, call.name))
        match outcome:
            case Outcome("raises"):
                self.raised = name
                raise Raised(name)
            case Outcome("found"):
                return self._asking.table.written.lookups[name].type
            case Outcome("refuses", refusal):
                return _refusal(self._asking, refusal, call)
            case Outcome("call", tool):
                return ToolCall(call.id, tool)
            case _:
                return None


class Raised(Exception):  # noqa: N818 - an assumption, and no error of ours
    """A lookup, guard or unwrap that is assumed to raise."""


def _refusal(asking: Asking, refusal: str, call: ToolCall) -> Refusal:
    """The refusal with the words that the table fills in; the host's stay in braces."""
    words = asking.table.written.refusals[refusal]
    values = {"name": one_line(call.name), "caller": one_line(asking.caller)}
    text = "".join(
        values.get(piece.name, f"{{{piece.name}}}")
        if isinstance(piece, Placeholder)
        else str(piece)
        for piece in pieces(words.text)
    )
    return Refusal(refusal, words.code, words.retry, text)
