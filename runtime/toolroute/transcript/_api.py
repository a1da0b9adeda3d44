"""The functions that a host calls."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from toolroute.transcript._evidence import Evidence
from toolroute.transcript._types import Settled, Violation


def check(
    messages: Sequence[Any],
    format: str | None = None,  # noqa: A002
    *,
    open_calls: Collection[str] = (),
    previous_response_id: str | None = None,
    target: str | None = None,
) -> list[Violation]:
    """What the provider would refuse in these messages, in their order.

    `format` is one of `anthropic`, `openai_chat`, `openai_responses`, `gemini`, `bedrock`,
    `mistral`, `ai_sdk_ui`, `langchain` and `pydantic_ai`; left out, it's detected.
    `open_calls` are the ids of calls that are still running, or wait for an approval.
    `previous_response_id` says that earlier items are held by the server.
    `target` names a provider whose rules for ids and names are to hold
    (`anthropic`), or a version with looser rules (`mistral:v13`).

    Raises `NotATranscript` and `FormatUnknown`, and nothing else.
    """
    raise NotImplementedError


def settle(  # noqa: PLR0913
    messages: Sequence[Any],
    format: str | None = None,  # noqa: A002
    *,
    evidence: Evidence | None = None,
    open_calls: Collection[str] = (),
    previous_response_id: str | None = None,
    target: str | None = None,
    orphans: Literal["text", "drop"] = "text",
) -> Settled:
    """Messages that the provider accepts, and what was changed for it.

    A call without a result is answered from `evidence`, and otherwise as outcome unknown.
    The content of a result without a call is kept as text, or dropped; either is a change
    that is listed. The other parameters are those of `check`.
    """
    raise NotImplementedError
