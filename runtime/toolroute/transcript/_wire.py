"""What a format's adapter says: how to read it, and how to write it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, final

from toolroute._answers import TOOL_NOT_EXECUTED, TOOL_OUTCOME_UNKNOWN
from toolroute._text import one_line
from toolroute.transcript._json import is_list, is_record
from toolroute.transcript._model import Call, Result, Role, Turn
from toolroute.transcript._rules import PROVIDER_RULES, Rules
from toolroute.transcript._types import Kind, NotATranscript

if TYPE_CHECKING:
    from toolroute.transcript._work import Work

Layout: TypeAlias = Literal["blocks", "messages", "inside"]
"""Where results stand: in the next message's blocks, in messages of their own, or
inside the call."""

DOUBT: Final = False
"""What `peek` answers when a message needs the whole reading."""

Peek: TypeAlias = list[str] | tuple[str, ...] | str | Literal[False] | None


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What is written for a call that has no result of its own."""

    content: Any
    is_error: bool

    @property
    def text(self) -> str:
        """The content as text: as it is, or as JSON."""
        return as_text(self.content)


class Wire:
    """A wire format. One file each under `formats`; nothing else knows its fields."""

    name: str = ""
    layout: Layout = "messages"
    spans: bool = False
    """Calls that follow each other are one batch, whichever messages they stand in."""
    named: bool = False
    """Results are paired per name, and carry it, where there are no ids."""
    neighbours: bool = False
    """What stands in front of a message matters to it; see `good_neighbours`."""
    bridged: bool = False
    """Only the model can speak right behind a result."""
    needs_name: bool = False
    """A result can't be without its tool's name."""
    says: ClassVar[Mapping[Kind, str]] = {}
    """The provider's own words; `{id}`, `{name}` and `{message}` are put in."""

    @property
    def rules(self) -> Rules:
        """The rules that hold when no target is named."""
        return PROVIDER_RULES[self.name]

    def tells(self, message: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a message can only be of this format; `_detect` knows the nine."""
        return False

    def peek(self, message: Any) -> Peek:  # noqa: ARG002
        """What a message holds, for the quick look that finds nothing wrong.

        None for neither calls nor results, a list of calls' ids, a tuple of results'
        ids (a string where each has a message of its own), or DOUBT.
        """
        return DOUBT

    def good_neighbours(self, messages: Sequence[Any], before: Any) -> bool:  # noqa: ARG002
        """For the quick look: whether each message may stand behind the one in front.

        `before` stands in front of the first, or is None.
        """
        return True

    def read(self, messages: Sequence[Any]) -> list[Turn]:
        """The turns, or NotATranscript with the place and what was expected."""
        raise NotImplementedError

    def answer(self, call: Call, answer: Answer) -> Any:
        """The block or message that answers this call."""
        raise NotImplementedError

    def needs_answer(self, call: Call) -> bool:  # noqa: ARG002
        """Whether only the tool itself can answer this call, such as with a picture."""
        return False

    def call_again(self, call: Call) -> Any:
        """The call's raw form with its new id and name, and whole."""
        raise NotImplementedError

    def result_again(self, result: Result, call: Call) -> Any:
        """The result's raw form as its call needs it, or the very same object."""
        raise NotImplementedError

    def plain(self, result: Result) -> list[Any]:
        """An orphan's content in the user's words: blocks, or messages."""
        raise NotImplementedError

    def note(self, text: str) -> Any:
        """A user message (or a block of one) that holds this text."""
        raise NotImplementedError

    def compose(self, raw: Any, units: Sequence[Any]) -> Any:
        """The message with these blocks (or calls) instead of its own.

        For None, a new message of the user.
        """
        raise NotImplementedError

    def takes_answers(self, turn: Turn) -> bool:
        """Whether this turn, right behind a batch, is where its results stand."""
        return turn.role == "user"

    def holds(self, turns: Sequence[Turn]) -> bool:  # noqa: ARG002
        """Whether the messages say that the server holds calls of theirs."""
        return False

    def waits(self, message: Any) -> int:  # noqa: ARG002
        """How many more of the server's own calls wait for a result behind it."""
        return 0

    def unfinished(self, messages: Sequence[Any]) -> bool:  # noqa: ARG002
        """Whether what these settled messages began depends on what comes next."""
        return False

    def finish(self, work: "Work") -> None:
        """Rules of the format that are about more than calls and their results."""

    def server_ids(self, turns: Sequence[Turn]) -> set[str]:  # noqa: ARG002
        """Ids in use besides those of calls and results."""
        return set()


@final
@dataclass(slots=True)
class Reader:
    """Reads fields of one message, and says where something else stands."""

    format: str
    message: int
    thing: str = "message"
    inside: list[str] = field(default_factory=list[str])

    def stop(self, expected: str, seen: Any, *, block: int | None = None) -> Any:
        """Raise NotATranscript for this place."""
        place = f"{self.thing} {self.message}"
        if block is not None:
            place += f", block {block}"
        raise NotATranscript(
            f"{place} of this {self.format} transcript holds {_shown(seen)} "
            f"where {expected} was expected. Counting starts at 0."
        )

    def record(self, value: Any, expected: str, block: int | None = None) -> Any:
        """A JSON object."""
        if not is_record(value):
            self.stop(expected, value, block=block)
        return value

    def items(self, value: Any, expected: str) -> Any:
        """A JSON array."""
        if not is_list(value):
            self.stop(expected, value)
        return value

    def text(
        self, record: Mapping[str, Any], key: str, block: int | None = None
    ) -> str:
        """Text that must be there."""
        value = record.get(key)
        if not isinstance(value, str):
            self.stop(f"text under `{key}`", value, block=block)
        return str(value)

    def maybe(
        self, record: Mapping[str, Any], key: str, block: int | None = None
    ) -> str | None:
        """Text, or nothing."""
        value = record.get(key)
        if value is not None and not isinstance(value, str):
            self.stop(f"text under `{key}`", value, block=block)
        return value


def _shown(value: Any) -> str:
    if isinstance(value, str) and value:
        return f"the text `{one_line(value, 40)}`"
    return kind_of(value)


def turn_of(message: int, role: Role, raw: Any, units: list[Any]) -> Turn:
    """A turn with its calls and results sorted out."""
    calls = [unit for unit in units if isinstance(unit, Call)]
    results = [unit for unit in units if isinstance(unit, Result)]
    return Turn(message, role, raw, units, calls, results)


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    for type_, words in (
        (str, "text"),
        ((int, float), "a number"),
        (dict, "an object"),
        ((list, tuple), "a list"),
    ):
        if isinstance(value, type_):
            return words
    return "what isn't JSON"


def as_text(content: Any) -> str:
    """Text as it is, anything else as JSON."""
    if isinstance(content, str):
        return content
    try:
        return json.dumps(content, default=str)
    except (RecursionError, ValueError):
        return f"({kind_of(content)} that can't be written as JSON)"


def is_own(text: Any) -> bool:
    """Whether settling wrote this answer: its text, or for Gemini its object."""
    if isinstance(text, str):
        if not text.startswith('{"error"') or len(text) > _LONGEST_OWN:
            return False
        try:
            text = json.loads(text)
        except (ValueError, RecursionError):
            return False
    if not is_record(text) or len(text) != 1:
        return False
    error = text.get("error")
    return is_record(error) and error.get("code") in _OWN


_OWN = (TOOL_NOT_EXECUTED, TOOL_OUTCOME_UNKNOWN)
_LONGEST_OWN = 4000


def not_json(arguments: Any) -> bool:
    """Whether a call's arguments are text that isn't a JSON object.

    No text at all is how some models call a tool without arguments.
    """
    if not isinstance(arguments, str):
        return arguments is not None and not is_record(arguments)
    if not arguments.strip():
        return False
    try:
        return not is_record(json.loads(arguments))
    except ValueError:
        return True
    except RecursionError:
        return False


def orphan_text(name: str | None, payload: str) -> str:
    """What an orphan says once it is plain text: what it was, and its content."""
    what = "tool result without its call"
    mark = f"[{what}: {one_line(name)}]" if name else f"[{what}]"
    return f"{mark} {payload}"
