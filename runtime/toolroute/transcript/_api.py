"""The functions that a host calls."""

from collections.abc import Collection, Sequence
from typing import Any

from toolroute.transcript._detect import detect
from toolroute.transcript._evidence import Evidence
from toolroute.transcript._judge import judge
from toolroute.transcript._layout import lay_out
from toolroute.transcript._quick import Used, nothing_wrong
from toolroute.transcript._registry import in_shape_of, rules_for, wire
from toolroute.transcript._types import NotATranscript, Settled, Violation
from toolroute.transcript._wire import Wire, kind_of
from toolroute.transcript._work import Context, Orphans, Work


def check(
    messages: Sequence[Any],
    format: str | None = None,  # noqa: A002
    *,
    open_calls: Collection[str] = (),
    previous_response_id: str | None = None,
    target: str | None = None,
) -> list[Violation]:
    """What the provider would refuse in these messages, in their order.

    `format` is one of `anthropic`, `openai_chat`, `openai_responses`, `gemini`,
    `bedrock`, `mistral`, `ai_sdk_ui`, `langchain` and `pydantic_ai`; left out, it's
    detected.
    `open_calls` are the ids of calls that are still running, or wait for an approval.
    `previous_response_id` says that earlier items are held by the server.
    `target` names a provider whose rules for ids and names are to hold
    (`anthropic`), or a version with looser rules (`mistral:v13`).

    Raises `NotATranscript` and `FormatUnknown`, and nothing else.
    """
    found = _wire(messages, format, target)
    context = Context(
        rules_for(found, target),
        open_calls=frozenset(open_calls),
        held=previous_response_id is not None,
    )
    return violations(found, messages, context)


def settle(  # noqa: PLR0913
    messages: Sequence[Any],
    format: str | None = None,  # noqa: A002
    *,
    evidence: Evidence | None = None,
    open_calls: Collection[str] = (),
    previous_response_id: str | None = None,
    target: str | None = None,
    orphans: Orphans = "text",
) -> Settled:
    """Messages that the provider accepts, and what was changed for it.

    A call without a result is answered from `evidence`, and otherwise as outcome
    unknown. The content of a result without a call is kept as text, or dropped; either
    is a change that is listed. The other parameters are those of `check`.
    """
    found = _wire(messages, format, target)
    context = Context(
        rules_for(found, target),
        evidence=evidence,
        open_calls=frozenset(open_calls),
        held=previous_response_id is not None,
        orphans=orphans,
    )
    return settled(found, messages, context)


def violations(
    found: Wire, messages: Sequence[Any], context: Context
) -> list[Violation]:
    """`check` once the format is known."""
    if not context.first and nothing_wrong(found, messages, context.rules, Used()):
        return []
    return run(found, messages, context).violations


def settled(found: Wire, messages: Sequence[Any], context: Context) -> Settled:
    """`settle` once the format is known."""
    alone = context.evidence is None and not context.first
    if alone and nothing_wrong(found, messages, context.rules, Used()):
        return Settled(messages)
    work = run(found, messages, context)
    if not work.changes:
        return Settled(messages, remaining=tuple(work.violations))
    outcome = [out.message for out in work.outs]
    return Settled(
        outcome,
        tuple(work.changes),
        tuple(work.send_later),
        tuple(violations(found, outcome, context)),
    )


def run(found: Wire, messages: Sequence[Any], context: Context) -> Work:
    """Read, pair, judge and lay out."""
    work = Work(found, messages, context)
    judge(work)
    lay_out(work)
    work.violations.sort(key=lambda v: (v.message, v.block or 0))
    return work


def _wire(messages: Sequence[Any], name: str | None, target: str | None) -> Wire:
    if not isinstance(messages, (list, tuple)):
        raise NotATranscript(
            f"A list of messages was expected, and {kind_of(messages)} was given."
        )
    return wire(in_shape_of(target, detect(messages) if name is None else name))
