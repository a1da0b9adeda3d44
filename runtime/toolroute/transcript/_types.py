"""What is found in a transcript, what settling changed, and what isn't a transcript."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, final

Kind: TypeAlias = Literal[
    "call_turn_without_user_before",
    "duplicate_call_id",
    "duplicate_result",
    "empty_call_id",
    "empty_error_content",
    "invalid_call_id",
    "invalid_name",
    "invalid_result_content",
    "misplaced_result",
    "missing_call_id",
    "missing_result_name",
    "orphan_reasoning",
    "orphan_result",
    "partial_call",
    "pending_server_call",
    "role_order",
    "unanswered_call",
]
"""What can be wrong. `invalid_name` is only looked for when a target is named."""

Did: TypeAlias = Literal[
    "answered",
    "handed_back",
    "inserted",
    "kept_as_text",
    "merged",
    "moved",
    "removed",
    "renamed",
    "rewritten",
]
"""What settling can do to a transcript."""


@final
@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that the provider doesn't accept, and where it stands.

    `message` counts from 0 in the list that was given (items and contents too).
    `index` says which call of its message it is about, from 0; of a result, the call
    that it answers. `block` is the place in the message's own list (content, parts or
    `tool_calls`), where there is one.
    """

    kind: Kind
    call_id: str | None
    message: int
    index: int | None = None
    block: int | None = None
    name: str | None = None
    says: str = ""
    """What the provider says to it, in its own words where they are known."""
    remedy: str = ""
    """What settling does about it."""


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One thing that settling did.

    `message` is a place in the input, or None for what stands for nothing there.
    `removed` holds what is no longer in the transcript, so that nothing is lost unseen.
    """

    did: Did
    call_id: str | None
    message: int | None
    text: str
    """A sentence for the person who reads the report."""
    removed: Any = None


@final
@dataclass(frozen=True, slots=True)
class Settled:
    """A transcript that the provider accepts, and what it took.

    `messages` is the very list that was given when nothing had to change.
    `send_later` are messages that can't be sent with this request: send them after the
    assistant's next message.
    `remaining` is what no settling can mend; it is empty when the outcome is sound.
    """

    messages: Sequence[Any]
    changes: tuple[Change, ...] = ()
    send_later: tuple[Any, ...] = ()
    remaining: tuple[Violation, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether `messages` differs from what was given."""
        return bool(self.changes)


class TranscriptError(ValueError):
    """What was given can't be read as a transcript; says what and where."""


@final
class NotATranscript(TranscriptError):  # noqa: N818
    """Something in the messages isn't what the wire format has there."""


@final
class FormatUnknown(TranscriptError):  # noqa: N818
    """The format or target isn't one of those known, or nothing tells which it is."""
