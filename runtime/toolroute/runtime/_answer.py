"""The answers a call can get: a closed union, and the JSON the model sees for each.

- An answer says only what was observed. Each class has one cause, and its words come
  from `toolroute._answers`; nothing else words an answer.
- `content` is a JSON value and `json` is its text, made once, when the answer is: what
  a handler does to its objects later changes no record.
- Only a result without error ends a turn.
"""

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias, assert_never, final

from toolroute._answers import bad_arguments, error_answer, failed, not_executed
from toolroute._answers import outcome_unknown as unknown
from toolroute._calls import Refusal, ToolError, ToolResult
from toolroute.runtime._json import encode, quoted, strict

AnswerKind: TypeAlias = Literal[
    "returned",
    "refused",
    "bad_arguments",
    "failed",
    "not_executed",
    "outcome_unknown",
]

Status: TypeAlias = Literal["ok", "error", "refused", "not-run", "unknown"]
"""What a card shows of an answer."""

_WORD: Final = {False: "false", True: "true"}


@final
class Returned:
    """The handler answered, well or with an error of its own.

    Read-only; by hand, since one is made for every call, and a frozen dataclass takes
    three times as long.
    """

    __slots__ = ("_content", "_ends_turn", "_is_error", "_json")

    kind: ClassVar[Literal["returned"]] = "returned"

    def __init__(
        self,
        content: Any,
        json: str,
        is_error: bool,  # noqa: FBT001 -- keywords take longer, on every call
        ends_turn: bool,  # noqa: FBT001
    ) -> None:
        self._content = content
        self._json = json
        self._is_error = is_error
        self._ends_turn = ends_turn

    @property
    def content(self) -> Any:
        """What the handler gave."""
        return self._content

    @property
    def json(self) -> str:
        """`content` as JSON text, as it was then."""
        return self._json

    @property
    def is_error(self) -> bool:
        """Whether the handler called it an error."""
        return self._is_error

    @property
    def ends_turn(self) -> bool:
        """Whether it ends the turn that its call was made in."""
        return self._ends_turn

    @property
    def status(self) -> Status:
        """`ok` or `error`."""
        return "error" if self._is_error else "ok"

    def _all(self) -> tuple[str, bool, bool]:
        return self._json, self._is_error, self._ends_turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Returned) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        flags = f"is_error={self._is_error}, ends_turn={self._ends_turn}"
        return f"Returned({self._json}, {flags})"


@final
@dataclass(frozen=True, slots=True)
class Refused:
    """The table, a guard or a lookup said no; nothing ran.

    `marked`, in a turn only: observers and pages show it as `refused`, not as an error.
    """

    kind: ClassVar[Literal["refused"]] = "refused"
    is_error: ClassVar[Literal[True]] = True
    ends_turn: ClassVar[Literal[False]] = False

    refusal: Refusal
    marked: bool = False

    @property
    def content(self) -> Any:
        """The refusal's code, text and retry."""
        no = self.refusal
        return error_answer(no.code, no.text, no.retry)

    @property
    def json(self) -> str:
        """`content` as JSON text."""
        return encode(self.content)

    @property
    def status(self) -> Status:
        """`refused` where it's marked, else `error`."""
        return "refused" if self.marked else "error"


class _Closed:
    """An answer that no handler gave, about the call named."""

    __slots__ = ()
    is_error: ClassVar[Literal[True]] = True
    ends_turn: ClassVar[Literal[False]] = False

    @property
    def content(self) -> Any:
        raise NotImplementedError

    @property
    def json(self) -> str:
        """`content` as JSON text."""
        return encode(self.content)


@final
@dataclass(frozen=True, slots=True)
class BadArguments(_Closed):
    """The model's arguments aren't JSON, or aren't an object; nothing ran."""

    kind: ClassVar[Literal["bad_arguments"]] = "bad_arguments"
    status: ClassVar[Status] = "error"

    name: str
    why: str

    @property
    def content(self) -> Any:
        """BAD_ARGUMENTS."""
        return bad_arguments(self.name, self.why)


@final
@dataclass(frozen=True, slots=True)
class Failed(_Closed):
    """The handler raised, or gave what is no result; it may have done something."""

    kind: ClassVar[Literal["failed"]] = "failed"
    status: ClassVar[Status] = "error"

    name: str
    why: str

    @property
    def content(self) -> Any:
        """TOOL_FAILED."""
        return failed(self.name, self.why)


@final
@dataclass(frozen=True, slots=True)
class NotExecuted(_Closed):
    """The call was seen never to start."""

    kind: ClassVar[Literal["not_executed"]] = "not_executed"
    status: ClassVar[Status] = "not-run"

    name: str

    @property
    def content(self) -> Any:
        """TOOL_NOT_EXECUTED."""
        return not_executed(self.name)


@final
@dataclass(frozen=True, slots=True)
class OutcomeUnknown(_Closed):
    """The call started, or nobody saw whether it did, and no result is on record."""

    kind: ClassVar[Literal["outcome_unknown"]] = "outcome_unknown"
    status: ClassVar[Status] = "unknown"

    name: str

    @property
    def content(self) -> Any:
        """TOOL_OUTCOME_UNKNOWN."""
        return unknown(self.name)


Answer: TypeAlias = (
    Returned | Refused | BadArguments | Failed | NotExecuted | OutcomeUnknown
)


def returned(result: ToolResult, ends_turn: bool | None = None) -> Returned:  # noqa: FBT001
    """The answer that a handler's result is; ValueError says why it can't be one.

    `ends_turn` stands in for the result's own, where the turn has something to say.
    """
    content = result.content
    text = quoted(content) if type(content) is str else encode(content)
    if result.is_error:
        return Returned(content, text, True, False)  # noqa: FBT003
    ends = result.ends_turn if ends_turn is None else ends_turn
    return Returned(content, text, False, ends)  # noqa: FBT003


def own_error(error: ToolError) -> Returned:
    """The answer that a handler raised as an error of its own."""
    content = error_answer(error.code, error.message, error.retry)
    return Returned(content, encode(content), True, False)  # noqa: FBT003


def to_text(answer: Answer) -> str:
    """One JSON object, ASCII only, that `from_text` reads back: what a ledger keeps."""
    match answer:
        case Returned():
            flags = f"{_WORD[answer.is_error]}, {_WORD[answer.ends_turn]}"
            content = answer.json
            return f'{{"kind": "returned", "flags": [{flags}], "content": {content}}}'
        case Refused():
            no = answer.refusal
            words = [no.id, no.code, no.retry, no.text]
            kept: dict[str, Any] = {"refusal": words, "marked": answer.marked}
        case BadArguments() | Failed():
            kept = {"name": answer.name, "why": answer.why}
        case NotExecuted() | OutcomeUnknown():
            kept = {"name": answer.name}
        case _:
            assert_never(answer)
    return strict.encode({"kind": answer.kind, **kept})


def from_text(text: str) -> Answer:
    """The answer that `to_text` wrote; ValueError where the text is something else."""
    try:
        return _read(json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no answer is written like this: {text[:80]}") from error


def _read(kept: dict[str, Any]) -> Answer:
    match kept["kind"]:
        case "returned":
            is_error, ends_turn = kept["flags"]
            content = kept["content"]
            return Returned(content, encode(content), is_error, ends_turn)
        case "refused":
            return Refused(Refusal(*kept["refusal"]), kept["marked"])
        case "bad_arguments":
            return BadArguments(kept["name"], kept["why"])
        case "failed":
            return Failed(kept["name"], kept["why"])
        case "not_executed":
            return NotExecuted(kept["name"])
        case "outcome_unknown":
            return OutcomeUnknown(kept["name"])
        case kind:
            raise KeyError(kind)
