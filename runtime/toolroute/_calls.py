from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, final

from toolroute._record import Record

Retry: TypeAlias = Literal["no", "yes", "with-changes", "after-delay", "check-first"]
"""What the caller may do after an answer that isn't a success."""

Road: TypeAlias = Literal["turn", "script", "host", "puppet", "module"]
"""The five ways a call comes into a host; each caller of a table is on one."""


@final
@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model, or whoever calls, made it.

    `id` is the wire's own, which may be empty or used twice: nothing here pairs by it.
    `input` is the arguments, already read as a JSON object.
    """

    id: str
    name: str
    input: Mapping[str, Any] = field(default_factory=dict[str, Any])


@final
@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a handler answers: JSON, or text.

    `ends_turn` ends the turn that the call was made in, if it was made in one, once
    every result of its round is stored; an error never ends a turn.
    """

    content: Any
    is_error: bool = False
    ends_turn: bool = False


@final
class Refusal(Record):
    """The table, a guard or a lookup said no, so nothing ran."""

    __slots__ = ("_id", "_code", "_retry", "_text")  # noqa: RUF023 - as they are given
    __match_args__ = ("id", "code", "retry", "text")

    def __init__(self, id: str, code: str, retry: Retry, text: str) -> None:  # noqa: A002 - the field's name
        self._id = id
        self._code = code
        self._retry: Retry = retry
        self._text = text

    @property
    def id(self) -> str:
        """The refusal's key under `refusals:`."""
        return self._id

    @property
    def code(self) -> str:
        """What programs read."""
        return self._code

    @property
    def retry(self) -> Retry:
        """What the caller may do next."""
        return self._retry

    @property
    def text(self) -> str:
        """What the model reads."""
        return self._text


class ToolError(Exception):
    """A handler's own error: the answer that it raises instead of returning.

    The text goes to the model as it is, so it says what to do next.
    """

    def __init__(
        self, message: str, *, code: str = "TOOL_FAILED", retry: Retry = "no"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.retry: Retry = retry


class ProtocolError(RuntimeError):
    """The host used toolroute in a way that its contract rules out.

    A caller's mistake is never this: it is a `Refusal`, since it must be answered too.
    """
