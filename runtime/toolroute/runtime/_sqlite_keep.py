"""What is kept of an input or an answer: redacted first, then measured.

Nothing is kept that a redaction hook didn't see: where it raises, or gives what isn't
JSON, the value isn't kept at all.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, assert_never, final

from toolroute._calls import Refusal, ToolCall
from toolroute._text import one_line
from toolroute.runtime._answer import (
    Answer,
    BadArguments,
    Failed,
    NotExecuted,
    OutcomeUnknown,
    Refused,
    Returned,
    to_text,
)
from toolroute.runtime._json import encode
from toolroute.runtime._ledger import LedgerError

Part: TypeAlias = Literal["input", "result", "reason"]
"""What a redaction hook is shown: a call's input, a result, or an error's words."""

Redact: TypeAlias = Callable[[str, Part, Any], Any]
"""`(tool's name, part, value) -> value to keep`; the value is a copy, and JSON."""

_log: Final = logging.getLogger("toolroute.ledger")


@final
@dataclass(frozen=True, slots=True)
class Keep:
    """How much of a call is kept: at most `largest` bytes of JSON, after `redact`."""

    largest: int
    redact: Redact | None = None

    def input(self, call: ToolCall) -> str | None:
        """The input's JSON; `None` where it isn't kept."""
        try:
            text: str | None = encode(dict(call.input))
        except ValueError as error:
            raise LedgerError(
                "unkeepable", f"The input of {one_line(call.name)} isn't JSON: {error}."
            ) from error
        if self.redact is not None:
            text = _redacted(self.redact, call.name, "input", text or "")
            text = text if text and text.startswith("{") else None
        return self._measured(text)

    def answer(self, name: str, answer: Answer) -> str | None:
        """The answer's text; `None` where its content isn't kept."""
        kept: Answer | None = answer
        if self.redact is not None:
            kept = _redacted_answer(self.redact, name, answer)
        return self._measured(kept and to_text(kept))

    def _measured(self, text: str | None) -> str | None:
        return text if text is not None and len(text) <= self.largest else None


def _redacted_answer(redact: Redact, name: str, answer: Answer) -> Answer | None:
    match answer:
        case Returned():
            text = _redacted(redact, name, "result", answer.json)
            if text is None:
                return None
            content = json.loads(text)
            return Returned(content, text, answer.is_error, answer.ends_turn)
        case Refused():
            words = _reason(redact, name, answer.refusal.text)
            if words is None:
                return None
            no = answer.refusal
            return replace(answer, refusal=Refusal(no.id, no.code, no.retry, words))
        case Failed() | BadArguments():
            words = _reason(redact, name, answer.why)
            return None if words is None else replace(answer, why=words)
        case NotExecuted() | OutcomeUnknown():
            return answer
        case _:
            assert_never(answer)


def _reason(redact: Redact, name: str, words: str) -> str | None:
    text = _redacted(redact, name, "reason", encode(words))
    kept = None if text is None else json.loads(text)
    return kept if isinstance(kept, str) else None


def _redacted(redact: Redact, name: str, part: Part, text: str) -> str | None:
    try:
        return encode(redact(name, part, json.loads(text)))
    except Exception as error:  # noqa: BLE001 — a hook may raise anything
        _log.warning(
            "the redaction hook raised %s for the %s of %s, which isn't kept",
            type(error).__name__,  # its words may hold what was to be hidden
            part,
            one_line(name),
        )
        return None
